import ControlInterface
public import OSC
import OSCSurface
import Queues
import SessionModel
import SessionPolicy
import Testing

/// A router's surface in memory: the real policy, no sockets, and a clock that stands still until it is moved.
struct Desk {
  var surface: Surface
  var state = RouterState()
  var time = 100.0
  /// All events, in the order of their publication.
  var events: [OSCMessage] = []
  var syncs: [Surface.Sync] = []
  /// The commands to reload that wait for their answers.
  var errands: [Surface.Errand] = []
  /// What words mean that name files; any other word means a file of its name.
  var files: [String: QueueAddition] = [:]
  /// The counters of the router that `/system/stats` reads.
  var statistics: [Statistic] = []
  private var numbering = EventNumbering()
  /// All packets that the surface has sent, with the numbers of bundles and the signs of life, which no other list has.
  private(set) var sent: [Surface.Datagram] = []
  /// The messages for clients other than the sender.
  private var inbox: [Peer: [OSCMessage]] = [:]

  /// A client on the router's own machine.
  static let me = local(9_000)
  static let other = local(9_001)

  /// The client at a port of the router's own machine.
  static func local(_ port: UInt16) -> Peer { remote(.loopback, port) }

  /// The client at a port of another machine.
  static func remote(_ host: HostAddress, _ port: UInt16) -> Peer {
    Peer(transport: UDPTransport.transport, host: host, endpoint: UInt32(port))
  }

  /// Addresses and arguments, of events without their serial numbers.
  static func told(_ messages: [OSCMessage]) -> [String] {
    messages.map { message in
      let isEvent = message.address.hasPrefix("/event/")
      let arguments = isEvent ? message.arguments.dropFirst() : message.arguments[...]
      return ([message.address] + arguments.map(\.description)).joined(separator: " ").replacing(
        "\"", with: "")
    }
  }

  init(admission: Admission = Admission()) {
    surface = Surface(
      identity: Surface.Identity(
        name: "multiroute", version: "1.2.3", epoch: 7, address: "127.0.0.1:9440", start: 90),
      admission: admission
    ) { state, event, time throws(SessionError) in try Policy.reduce(&state, event, at: time) }
  }

  /// A desk with a server, outputs usb (4 channels), headphones (2), mono (1) and radio (A2DP, 2), inputs usb (2, with the data
  /// sources front and back) and mic (1), and the sessions show (multiRoute) and music (playback).
  static func stage(admission: Admission = Admission()) throws -> Desk {
    var desk = Desk(admission: admission)
    var server = ServerState()
    (server.isRunning, server.clientName, server.rate, server.period) = (true, "multiroute", 48_000, 256)
    try desk.happen(.server(server))
    try desk.plug(.output, "usb", .usbAudio, channels: 4)
    try desk.plug(.output, "headphones", .headphones, channels: 2)
    try desk.plug(.output, "mono", .lineOut, channels: 1)
    try desk.plug(.output, "radio", .bluetoothA2DP, channels: 2)
    try desk.plug(.input, "usb", .usbAudio, channels: 2)
    try desk.plug(.input, "mic", .builtInMic, channels: 1)
    #expect(desk.send("/session/create", "show", "multiRoute").isEmpty)
    #expect(desk.send("/session/create", "music", "playback").isEmpty)
    return desk
  }

  mutating func plug(_ direction: Direction, _ id: PortID, _ type: PortType, channels: Int) throws {
    let glob = try #require(PortGlob("\(id):*"))
    var port = Port(id: id, name: id.name, type: type, globs: [glob], channels: channels)
    if direction == .input, type == .usbAudio {
      port.sources = ["front", "back"].map { Port.DataSource(id: $0, globs: [glob]) }
    }
    try happen(.declarePort(direction, port))
    try happen(.portsPresent([PortPresence(direction, id, members: (1...channels).map { "\(id):\($0)" })]))
  }

  mutating func unplug(_ direction: Direction, _ id: PortID) throws {
    let members = try #require(state[direction][id]).members.map { _ in String?.none }
    try happen(.portsPresent([PortPresence(direction, id, members: members)]))
  }

  // MARK: In and out

  /// Sends a message and returns the answers to the sender, in order.
  @discardableResult
  mutating func send(
    _ address: String, _ arguments: OSCArgument..., from peer: Peer = Desk.me
  ) -> [OSCMessage] {
    send(OSCMessage(address, arguments), from: peer)
  }

  @discardableResult
  mutating func send(_ message: OSCMessage, from peer: Peer = Desk.me) -> [OSCMessage] {
    send(.message(message), from: peer)
  }

  @discardableResult
  mutating func bundle(_ messages: OSCMessage..., from peer: Peer = Desk.me) -> [OSCMessage] {
    send(.bundle(OSCBundle(messages.map(OSCPacket.message))), from: peer)
  }

  @discardableResult
  mutating func send(_ packet: OSCPacket, from peer: Peer = Desk.me) -> [OSCMessage] {
    let before = state
    guard var trial = surface.decide(packet, from: peer, &state, at: time) else { return [] }
    if !trial.missingWords.isEmpty {
      let meanings = trial.missingWords.map { word in
        (word, files[word] ?? QueueAddition([QueueItem(name: word, title: word)]))
      }
      let words = PacketWords(Dictionary(uniqueKeysWithValues: meanings))
      guard let second = surface.decide(packet, from: peer, &state, at: time, words) else { return [] }
      trial = second
    }
    let told = publish(trial.notifications, from: before, for: peer)
    return told + take(surface.conclude(trial, state) { statistics }, for: peer, isAnswer: true)
  }

  /// The packets that the surface sends in answer to one packet.
  mutating func datagrams(_ packet: OSCPacket) -> [Surface.Datagram] {
    let trial = surface.decide(packet, from: Self.me, &state, at: time)
    return trial.map { surface.conclude($0, state).datagrams } ?? []
  }

  /// Whether no message but a sign of life waits to be sent, and no client subscribes to meters.
  var isIdle: Bool {
    guard !surface.wantsMeters else { return false }
    var (later, now) = (surface, time)
    while let due = later.nextDue(at: now), due < time + 2 {
      now = max(due, now)
      let sent = later.advance(state, at: now).datagrams
      guard !sent.isEmpty, sent.allSatisfy(Self.isSignOfLife) else { return false }
    }
    return true
  }

  private static func isSignOfLife(_ datagram: Surface.Datagram) -> Bool {
    guard case .message(let message) = datagram.packet else { return false }
    return message.address == "/alive"
  }

  mutating func happen(_ event: Event) throws {
    let before = state
    _ = publish(try Policy.reduce(&state, event, at: time), from: before, for: Self.me)
  }

  /// Publishes a notification that changed no state.
  @discardableResult
  mutating func tell(_ notification: SessionModel.Notification) -> [OSCMessage] {
    publish([notification], from: state, for: Self.me)
  }

  private mutating func publish(
    _ told: [SessionModel.Notification], from before: RouterState, for peer: Peer
  ) -> [OSCMessage] {
    let change = Change(from: before, to: state, events: numbering.number(told), at: time)
    events += change.events.map { OSCMessage($0) }
    return take(surface.publish(change), for: peer)
  }

  /// Lets time pass in steps of 5 ms, carries out the bundles that become due, and returns all messages to a peer since its last call of `send` or `wait`.
  @discardableResult
  mutating func wait(_ seconds: Double, as peer: Peer = Desk.me) -> [OSCMessage] {
    var heard = inbox.removeValue(forKey: peer) ?? []
    let end = time + seconds
    while time < end - 1e-9 {
      time = min(time + 0.005, end)
      heard += take(surface.advance(state, at: time), for: peer)
      for (packet, sender) in surface.takeScheduled(at: time) {
        let answers = send(packet, from: sender)
        if sender == peer { heard += answers } else { inbox[sender, default: []] += answers }
      }
    }
    return heard
  }

  /// - Parameter isAnswer: whether an `/alive` is the beginning of feedback to another port, and not that of each second.
  private mutating func take(
    _ outcome: Surface.Outcome, for peer: Peer, isAnswer: Bool = false
  ) -> [OSCMessage] {
    sent += outcome.datagrams
    let datagrams = outcome.datagrams.filter { isAnswer || !Self.isSignOfLife($0) }
    syncs += outcome.syncs
    errands += outcome.errands
    for datagram in datagrams where datagram.peer != peer {
      inbox[datagram.peer, default: []] += datagram.packet.messages.filter { $0.address != "/seq" }
    }
    return datagrams.filter { $0.peer == peer }.flatMap(\.packet.messages).filter {
      $0.address != "/seq"
    }
  }

  // MARK: Reading

  /// The arguments of the answer to a get.
  mutating func get(_ address: String) -> [OSCArgument]? {
    let answers = send("/get", .string(address))
    guard answers.count == 1, answers[0].address == address else { return nil }
    return answers[0].arguments
  }

  /// The values of all readable leaves, by address, as single gets answer them.
  mutating func readAll(_ addresses: [String]) -> [String: [OSCArgument]] {
    var values: [String: [OSCArgument]] = [:]
    for address in addresses { values[address] = get(address) }
    return values
  }

  /// A whole snapshot: its messages, and the message `/snapshot/end`.
  mutating func snapshot(_ pattern: String? = nil) -> (messages: [OSCMessage], end: OSCMessage?) {
    var heard = pattern.map { send("/snapshot", .string($0)) } ?? send("/snapshot")
    while !heard.contains(where: { $0.address == "/snapshot/end" }), time < 1_000 { heard += wait(0.005) }
    return (heard.filter { $0.address != "/snapshot/end" }, heard.first { $0.address == "/snapshot/end" })
  }
}

extension OSCArgument: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self = .string(text) }
}

extension OSCArgument: ExpressibleByIntegerLiteral {
  public init(integerLiteral number: Int32) { self = .int32(number) }
}

extension OSCArgument: ExpressibleByFloatLiteral {
  public init(floatLiteral number: Double) { self = .float(Float(number)) }
}

extension [OSCMessage] {
  /// The code of the one error among these, nil if there is not exactly one.
  var errorCode: ErrorCode? {
    let errors = filter { $0.address == "/error" }
    guard errors.count == 1, case .int32(let code)? = errors[0].arguments.dropFirst().first else {
      return nil
    }
    return ErrorCode(rawValue: Int(code))
  }

  var errors: [OSCMessage] { filter { $0.address == "/error" } }

  /// The arguments of the last message to an address.
  subscript(address: String) -> [OSCArgument]? { last { $0.address == address }?.arguments }
}
