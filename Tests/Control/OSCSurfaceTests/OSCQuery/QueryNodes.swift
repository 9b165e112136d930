import ControlInterface
import JSON5
import OSC
import SessionModel
import Testing

@testable import OSCSurface

/// A tree of OSCQuery as a client reads it: the attributes of each node, by its address.
struct QueryNodes {
  private(set) var nodes: [String: [String: JSON]] = [:]
  /// All addresses, each as often as the tree has it.
  private(set) var addresses: [String] = []

  typealias JSON = PositionedValue.Kind

  /// - Parameter view: the router's state; the tree is that of the node at `address`.
  init(_ view: QueryView, at address: String = "/") throws {
    try self.init(#require(view.tree(at: address)))
  }

  init(_ text: String) throws {
    let read = JSON5Reader.read(Array(text.utf8), file: "tree", sizeLimit: 64 << 20)
    #expect(read.problems.map(\.description) == [])
    try collect(#require(read.value))
  }

  private mutating func collect(_ value: PositionedValue) throws {
    let members = try #require(value.kind.members)
    let address = try #require(members["FULL_PATH"]?.text)
    nodes[address] = members
    addresses.append(address)
    guard case .object(let contents)? = members["CONTENTS"] else { return }
    for member in contents {
      let below = try #require(member.value.kind.members?["FULL_PATH"]?.text)
      #expect(below == (address == "/" ? "/\(member.key)" : "\(address)/\(member.key)"))
      try collect(member.value)
    }
  }

  subscript(address: String) -> [String: JSON]? { nodes[address] }

  /// The nodes that are values.
  var values: [(address: String, node: [String: JSON])] {
    addresses.compactMap { address in
      nodes[address].flatMap { $0["CONTENTS"] == nil ? (address, $0) : nil }
    }
  }
}

extension PositionedValue.Kind {
  var members: [String: Self]? {
    guard case .object(let members) = self else { return nil }
    return Dictionary(members.map { ($0.key, $0.value.kind) }, uniquingKeysWith: { $1 })
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let number, _) = self { number } else { nil } }
  var items: [Self]? { if case .array(let items) = self { items.map(\.kind) } else { nil } }
}

extension Desk {
  /// A client with a connection.
  static func web(_ number: UInt32 = 1, at host: HostAddress = .loopback) -> Peer {
    Peer(transport: Transport("websocket", hasPorts: false, isStream: true), host: host, endpoint: number)
  }

  /// What OSCQuery's questions are answered from.
  var view: QueryView { surface.view(state, at: time) }

  func ask(_ path: String, _ query: String? = nil) -> QueryAnswer {
    view.answer(
      QueryQuestion(path: path, query: query), QueryHost(name: "hall", osc: (9_440, .udp), webPort: 9_441))
  }
}
