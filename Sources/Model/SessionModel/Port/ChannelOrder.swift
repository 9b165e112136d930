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
    let speakers = ports.compactMap { Loudspeaker(ofPort: name($0)) }
    if speakers.count == ports.count, Set(speakers).count == ports.count {
      return ports.indices.sorted { speakers[$0].rawValue < speakers[$1].rawValue }.map { ports[$0] }
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
}
