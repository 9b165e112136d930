import ControlInterface
import OSC

/// The waiting packets of a client, in order.
struct InboxQueue {
  let party: Party
  /// The packets; nil for one that was replaced.
  private var items: [WaitingPacket?] = []
  private var first = 0
  /// The places of the packets that move only faders and wait behind all others, by their faders.
  private var faders: [[String]: Int] = [:]
  /// Whether one of these packets moves several faders.
  private var hasBundle = false
  private(set) var (count, bytes) = (0, 0)

  init(_ party: Party) { self.party = party }

  /// Appends a packet. One that moves only faders replaces an older packet of the same faders, unless another kind of packet came between.
  /// - Returns: whether a packet was replaced.
  mutating func append(_ item: WaitingPacket) -> Bool {
    if item.faders.isEmpty || count == 0 { (faders, hasBundle) = ([:], false) }
    if item.faders.count > 1 { hasBundle = true }
    bytes += item.bytes
    guard !item.faders.isEmpty, let place = faders[item.faders] else {
      if !item.faders.isEmpty { faders[item.faders] = items.count }
      items.append(item)
      count += 1
      return false
    }
    bytes -= items[place]!.bytes
    // The level of the first fader may be on its way to the audio thread already, so the first packet keeps its place.
    if !hasBundle, items[first..<place].allSatisfy({ $0 == nil }) {
      items[place] = item
    } else {
      items[place] = nil
      faders[item.faders] = items.count
      items.append(item)
      compact()
    }
    return true
  }

  /// Removes and returns the first packet.
  mutating func takeFirst() -> WaitingPacket? {
    while first < items.count {
      defer { first += 1 }
      guard let item = items[first] else { continue }
      if faders[item.faders] == first { faders[item.faders] = nil }
      items[first] = nil
      (count, bytes) = (count - 1, bytes - item.bytes)
      return item
    }
    return nil
  }

  mutating func putFirst(_ item: WaitingPacket) {
    (count, bytes) = (count + 1, bytes + item.bytes)
    if first > 0 {
      first -= 1
      items[first] = item
    } else {
      items.insert(item, at: 0)
      faders = faders.mapValues { $0 + 1 }
    }
  }

  mutating func removeLast() {
    guard let item = items.last ?? nil else { return }
    items.removeLast()
    if faders[item.faders] == items.count { faders[item.faders] = nil }
    (count, bytes) = (count - 1, bytes - item.bytes)
  }

  /// Removes places without a packet in large steps, because removal at the front costs time.
  private mutating func compact() {
    guard items.count > 2 * count + 64 else { return }
    var places: [Int: Int] = [:]
    var kept: [WaitingPacket?] = []
    for index in first..<items.count where items[index] != nil {
      places[index] = kept.count
      kept.append(items[index])
    }
    faders = faders.compactMapValues { places[$0] }
    (items, first) = (kept, 0)
  }
}

/// What waits for a client's turn.
struct WaitingPacket {
  let content: Content
  /// The faders that the packet moves, as the addresses of their values, if it does nothing else; empty otherwise.
  var faders: [String]
  let bytes: Int
  /// Whether a bundle of the packet has a time.
  var isTimed = false

  enum Content {
    case packet(OSCPacket)
    /// A command that has decided on its packet, and whose answers are not finished.
    indirect case command(SurfaceCommand)
  }
}

extension OSCPacket {
  /// Whether a bundle of the packet has a time, in the past or in the future.
  var isTimed: Bool {
    guard case .bundle(let bundle) = self else { return false }
    return !bundle.timetag.isImmediate || bundle.elements.contains(where: \.isTimed)
  }

  /// The memory that the packet takes, in bytes, estimated.
  var weight: Int {
    messages.reduce(0) { sum, message in
      message.arguments.reduce(sum + 64 + message.address.utf8.count) { $0 + $1.weight }
    }
  }
}

extension OSCArgument {
  fileprivate var weight: Int {
    switch self {
    case .string(let text), .symbol(let text): 32 + text.utf8.count
    case .blob(let bytes): 32 + bytes.count
    default: 32
    }
  }
}
