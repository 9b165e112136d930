/// The order in which JACK ports are the channels of one device or program.
///
/// Three rules, in this order: names of loudspeakers give the standard order (FL FR FC LFE RL RR SL SR); ports whose names differ only in numbers
/// are in the order of the numbers; all others are in the order in which the server made them. So letters never decide: FC comes before FL in
/// the alphabet, and would be the left channel.
public enum ChannelOrder {
  /// Orders ports.
  /// - Parameters:
  ///   - ports: in the order in which the server made them.
  ///   - name: the full name of a port.
  public static func sorted<Port>(_ ports: [Port], by name: (Port) -> String) -> [Port] {
    guard ports.count > 1 else { return ports }
    let places = ports.map { place(ofName: name($0)) }
    if places.allSatisfy({ $0 != nil }), Set(places).count == ports.count {
      return ports.indices.sorted { places[$0]! < places[$1]! }.map { ports[$0] }
    }
    var groups: [(stem: [UInt8], members: [Int])] = []
    for index in ports.indices {
      let stem = stem(of: name(ports[index]))
      if let group = groups.firstIndex(where: { $0.stem == stem }) {
        groups[group].members.append(index)
      } else {
        groups.append((stem, [index]))
      }
    }
    return groups.flatMap { group in
      group.members.sorted { left, right in
        let (a, b) = (name(ports[left]), name(ports[right]))
        if PortGlob.inChannelOrder(a, b) { return true }
        return !PortGlob.inChannelOrder(b, a) && left < right
      }
    }.map { ports[$0] }
  }

  /// A name without its numbers.
  private static func stem(of name: String) -> [UInt8] {
    name.utf8.filter { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// The loudspeaker of a port by the end of its name, as its place in the standard order; nil if it names none.
  private static func place(ofName name: String) -> Int? {
    let short = name.firstIndex(of: ":").map { name[name.index(after: $0)...] } ?? name[...]
    // PipeWire adds its number to a name that exists twice, such as `playback_FR-67`.
    let digits = short.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    let stem = digits > 0 && short.dropLast(digits).hasSuffix("-") ? short.dropLast(digits + 1) : short
    let words = stem.lowercased().split { "_-. /:()".contains($0) }
    guard let last = words.last else { return nil }
    if words.count > 1, let place = places[words.suffix(2).joined()] { return place }
    return places[String(last)]
  }

  /// The loudspeakers in the order of WAVE files and of PipeWire's layouts up to 7.1, by their spellings.
  private static let loudspeakers: [[String]] = [
    ["fl", "l", "left", "frontleft", "lf"], ["fr", "r", "right", "frontright", "rf"],
    ["fc", "c", "center", "centre", "frontcenter", "frontcentre", "cf"], ["lfe", "sub", "subwoofer", "lfe1"],
    ["rl", "bl", "lb", "lr", "rearleft", "backleft", "lrs"],
    ["rr", "br", "rb", "rearright", "backright", "rrs"],
    ["flc"], ["frc"], ["rc", "bc", "cs", "rearcenter", "rearcentre", "backcenter"],
    ["sl", "ls", "sideleft", "surroundleft", "lss"], ["sr", "rs", "sideright", "surroundright", "rss"],
  ]

  private static let places: [String: Int] = Dictionary(
    uniqueKeysWithValues: loudspeakers.enumerated().flatMap { place, names in names.map { ($0, place) } })
}
