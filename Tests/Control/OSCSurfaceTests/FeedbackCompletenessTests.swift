import Chance
import OSC
import Parameters
import RandomEvents
import SessionModel
import SessionPolicy
import Testing

@testable import OSCSurface

/// The surface finds out what changed without reading every address. This test reads every address after every event.
@Suite("The feedback of a subscriber is complete")
struct FeedbackCompletenessTests {
  /// A tenth of what `make soak` tries.
  private static let events =
    Soak.count(1_000, of: 10_000)

  @Test("After any event a subscriber gets every address whose value has changed, and no other")
  func equalsFull() throws {
    var (source, desk) = (RandomEvents(seed: 7, monitoring: true), Desk())
    desk.state = try LawEvents.start()
    desk.send("/subscribe", "", 1_000.0, from: Desk.other)
    desk.wait(2, as: Desk.other)
    var leaves = Leaves(desk)
    var heardOf: Set<String> = []
    for step in 0..<Self.events {
      desk.time += 0.1
      // The surface forgets a client that sends nothing for long.
      if step.isMultiple(of: 50) { desk.send("/ping", from: Desk.other) }
      let before = desk.state
      let event = step % 9 == 4 ? Self.strips(step / 9) : source.next(desk.state)
      guard (try? desk.happen(event)) != nil else { continue }
      let heard = Dictionary(
        desk.wait(0, as: Desk.other).map { ($0.address, $0.arguments) }, uniquingKeysWith: { $1 })
      let changes = leaves.follow(desk, since: before)
      for match in changes {
        heardOf.insert(match.parameter.address)
        let value = match.read(Moment(desk.state, at: desk.time))
        #expect(heard[match.address] == value, "step \(step): \(match.address) after \(event)")
      }
      let known = Set(changes.map(\.address))
      for address in heard.keys where !known.contains(address) && leaves.contains(address) {
        // A control that is set to its present value counts as changed, too, and a fade goes on.
        #expect(leaves.isControl(address), "step \(step): \(address) after \(event)")
      }
    }
    // The positive control: most addresses of the table changed at some time.
    let all = Set(
      Table.parameters.filter { AddressTree.Leaf(parameter: $0, aspect: .value).feedsBack }.map(\.address))
    let unchanged = all.subtracting(heardOf)
    #expect(unchanged.count < all.count / 3, "\(unchanged.sorted())")
  }

  /// Assignments of strips and moves of a bank, one after the other.
  private static func strips(_ step: Int) -> Event {
    let settings: [StripSetting] = [
      .size(1, 4), .one(2, .output("usb")), .step(1, 1), .one(5, .session("a")), .step(1, 1),
      .one(2, nil), .place(1, 1), .all([2: .stream("b", "main"), 5: .send("a", "main", "usb")]), .step(1, -1),
      .one(3, .input("mic")), .range(1, .chain(.stream("a", "main"))),
      .one(4, .control(EffectSlot(.output("usb"), 1), "HPfreq")), .range(1, .show), .size(1, 2), .all([:]),
      .size(1, 0),
    ]
    return .router(.strips(settings[step % settings.count]))
  }

  /// All values that can be read, as they were last read.
  private struct Leaves {
    private var matches: [Match] = []
    private var values: [String: [OSCArgument]] = [:]
    private var shape: [String] = []

    init(_ desk: Desk) { _ = follow(desk, since: desk.state) }

    func contains(_ address: String) -> Bool { values[address] != nil }

    func isControl(_ address: String) -> Bool {
      matches.contains { match in
        guard match.address == address else { return false }
        switch match.parameter.binding {
        case .control, .transport, .alias: return true
        default: return ["/session/<s>/duck/now", "/recorder/<r>/time"].contains(match.parameter.address)
        }
      }
    }

    /// Reads everything anew.
    /// - Returns: the leaves that are new, or whose values differ from those before the event at the same time.
    mutating func follow(_ desk: Desk, since before: RouterState) -> [Match] {
      let shape = Self.shape(of: desk.state)
      if shape != self.shape {
        matches = desk.surface.tree.find(prefix: nil, in: desk.state).filter {
          // The events use the first strips only; the others would take most of the time.
          $0.aspect == .value && $0.leaf.feedsBack && ($0.target.strip ?? 1) <= 5
        }
        self.shape = shape
      }
      let (old, new) = (Moment(before, at: desk.time), Moment(desk.state, at: desk.time))
      var (read, changes): ([String: [OSCArgument]], [Match]) = ([:], [])
      for match in matches {
        guard let value = match.read(new) else { continue }
        read[match.address] = value
        let isNew = values[match.address] == nil
        if isNew || values[match.address] != value && match.read(old) != value { changes.append(match) }
      }
      values = read
      return changes
    }

    /// The objects that exist.
    private static func shape(of state: RouterState) -> [String] {
      var shape = state.interruptions.keys.map(\.name)
      for direction in [Direction.output, .input] {
        for port in state[direction].values { shape.append("\(direction) \(port.id) \(port.channels)") }
      }
      shape += state.players.keys.map { "player \($0)" } + state.recorders.keys.map { "recorder \($0)" }
      shape += state.groups.keys.map { "group \($0)" }
      for session in state.sessions.values {
        shape.append("session \(session.id)")
        shape += session.capture.sessions.keys.map { "capture of session \($0)" }
        shape += session.capture.inputs.keys.map { "capture of input \($0)" }
        for stream in session.streams.values {
          shape.append("stream \(stream.id) \(stream.channels)")
          shape += stream.destinations.keys.map { "to \($0)" }
        }
      }
      for place in state.inserts() {
        let insert = state.insert(at: place) ?? Insert()
        for index in insert.effects.indices {
          let controls = index < insert.report.effects.count ? insert.report.effects[index].controls.count : 0
          shape.append("effect \(index) of \(place.address) with \(controls) controls")
        }
      }
      return shape + state.talkbackSessions.map { "talkback \($0)" }
    }
  }
}
