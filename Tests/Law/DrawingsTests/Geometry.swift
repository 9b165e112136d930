@testable import Drawings

/// What is wrong with the places of a drawing.
struct Geometry {
  private let drawing: Drawing
  /// The lines of each curve.
  private let lines: [[Segment]]

  init(_ drawing: Drawing) {
    self.drawing = drawing
    lines = drawing.curves.map(\.segments)
  }

  /// All faults as sentences: texts that overlap a line, an arrow, each other or the edge of a box, and what lies outside.
  var faults: [String] {
    var faults: [String] = []
    let texts = drawing.texts.map { ($0.text, $0.place) }
    for (index, (text, place)) in texts.enumerated() {
      for (other, otherPlace) in texts[(index + 1)...] where place.overlaps(otherPlace) {
        faults.append("the texts \(text) and \(other) overlap")
      }
      for line in lines where line.contains(where: { place.isCut(by: $0) }) {
        faults.append("a line runs through the text \(text)")
      }
      for box in drawing.boxes where place.overlaps(box.place) && !box.place.contains(place) {
        faults.append("the edge of a box runs through the text \(text)")
      }
      if !sheet.contains(place) { faults.append("the text \(text) lies outside") }
    }
    for (index, box) in drawing.boxes.enumerated() {
      if !sheet.contains(box.place) { faults.append("a box lies outside") }
      for other in drawing.boxes[(index + 1)...] where box.place.overlaps(other.place) {
        let isNested = box.style == .session && other.style == .stream && box.place.contains(other.place)
        if !isNested { faults.append("two boxes overlap") }
      }
    }
    for line in lines where !line.allSatisfy({ sheet.contains($0.start) && sheet.contains($0.end) }) {
      faults.append("a line lies outside")
    }
    for curve in drawing.curves where curve.end.x <= curve.start.x { faults.append("a line runs backwards") }
    return faults
  }

  private var sheet: Drawing.Rectangle {
    Drawing.Rectangle(x: 0, y: 0, width: drawing.width, height: drawing.height)
  }
}

/// A straight line between two points.
struct Segment {
  var start: Drawing.Point
  var end: Drawing.Point
}

extension Drawing.Curve {
  /// The curve as short straight lines, and the sides of its arrow.
  var segments: [Segment] {
    let c = controls
    let points = (0...64).map { step in
      let (t, s) = (Double(step) / 64, 1 - Double(step) / 64)
      let weights = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
      return zip(weights, c).reduce(into: Drawing.Point(x: 0, y: 0)) { point, part in
        point.x += part.0 * part.1.x
        point.y += part.0 * part.1.y
      }
    }
    let wings = [-1.0, 1.0].map { side in
      Drawing.Point(x: end.x - Self.arrow.length, y: end.y + side * Self.arrow.half)
    }
    return zip(points, points.dropFirst()).map(Segment.init)
      + [Segment(start: wings[0], end: wings[1])] + wings.map { Segment(start: $0, end: end) }
  }
}

extension Drawing.Rectangle {
  func overlaps(_ other: Self) -> Bool {
    x < other.right && other.x < right && y < other.bottom && other.y < bottom
  }

  func contains(_ other: Self) -> Bool {
    other.x >= x && other.y >= y && other.right <= right && other.bottom <= bottom
  }

  func contains(_ point: Drawing.Point) -> Bool {
    (x...right).contains(point.x) && (y...bottom).contains(point.y)
  }

  /// Whether a part of a line lies in the rectangle (the algorithm of Liang and Barsky).
  func isCut(by line: Segment) -> Bool {
    let (dx, dy) = (line.end.x - line.start.x, line.end.y - line.start.y)
    var (first, last) = (0.0, 1.0)
    for (step, room) in [
      (-dx, line.start.x - x), (dx, right - line.start.x), (-dy, line.start.y - y),
      (dy, bottom - line.start.y),
    ] {
      if step == 0 {
        if room < 0 { return false }
      } else if step < 0 {
        first = max(first, room / step)
      } else {
        last = min(last, room / step)
      }
    }
    return first <= last
  }
}
