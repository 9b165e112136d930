/// A rectangle on a page, whose whole size is `Layout.size`.
struct Place: Equatable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  /// The place without a margin at each side.
  func inset(by margin: Double) -> Place {
    Place(x: x + margin, y: y + margin, width: width - 2 * margin, height: height - 2 * margin)
  }

  /// Cuts off the upper part.
  mutating func takeTop(_ height: Double) -> Place {
    defer { (y, self.height) = (y + height, self.height - height) }
    return Place(x: x, y: y, width: width, height: height)
  }

  mutating func takeBottom(_ height: Double) -> Place {
    self.height -= height
    return Place(x: x, y: y + self.height, width: width, height: height)
  }

  mutating func takeLeft(_ width: Double) -> Place {
    defer { (x, self.width) = (x + width, self.width - width) }
    return Place(x: x, y: y, width: width, height: height)
  }

  mutating func takeRight(_ width: Double) -> Place {
    self.width -= width
    return Place(x: x + self.width, y: y, width: width, height: height)
  }

  /// Equal places beside each other.
  func columns(_ count: Int) -> [Place] {
    let width = self.width / Double(count)
    return (0..<count).map { Place(x: x + Double($0) * width, y: y, width: width, height: height) }
  }

  /// Equal places below each other.
  func rows(_ count: Int) -> [Place] {
    let height = self.height / Double(count)
    return (0..<count).map { Place(x: x, y: y + Double($0) * height, width: width, height: height) }
  }
}
