import Chance
import Foundation
import MixEngine
import RandomEvents
import SessionModel
import SessionPolicy
import Testing

@testable import Router

/// What is heard of members of groups, sample by sample, against a sum that is written down here in the plainest way.
@Suite("The sound of groups")
struct GroupSoundTests {
  /// The level of a stream in an output, from the settings alone.
  private func reference(_ stream: StreamAddress, _ output: PortID, _ state: RouterState) -> Double {
    guard let session = state.sessions[stream.session], let own = session.streams[stream.stream],
      let port = state.outputs[output], let send = own.destinations[output], send.isOn
    else { return 0 }
    func groups(_ text: String) -> [SoundGroup] {
      state.groups.values.filter { group in
        group.members.contains { $0.text == text || $0.text == "session:*" && text.hasPrefix("session:") }
      }
    }
    let all = ["session:\(session.id)", "stream:\(session.id).\(own.id)", "output:\(output)"].map(groups)
    if session.isMuted || own.isMuted || port.isMuted || all.joined().contains(where: \.isMuted) { return 0 }
    func power(_ levels: [Double], upTo most: Double) -> Double {
      levels.contains { $0 <= -90 } ? 0 : min(Decibels.power(levels.reduce(0, +)), Decibels.power(most))
    }
    return power([session.gain.target] + all[0].map(\.gain.target), upTo: session.maximum)
      * power([own.gain.target] + all[1].map(\.gain.target), upTo: .infinity)
      * power([port.gain.target] + all[2].map(\.gain.target), upTo: port.maximum)
      * power([send.gain.target], upTo: .infinity)
  }

  /// Three mono sessions at two mono outputs, and two groups.
  private func show() throws -> RouterState {
    var events: [Event] = [.server(Show.running)]
    for id: PortID in ["x", "y"] {
      events.append(.declarePort(.output, Show.port(id, .usbAudio, ["\(id):out"], channels: 1)))
    }
    events.append(
      .portsPresent([
        PortPresence(.output, "x", members: ["x:out"]), PortPresence(.output, "y", members: ["y:out"]),
      ]))
    for id: SessionID in ["a", "b", "c"] {
      events += [
        .createSession(id, SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
        .session(id, .activation(.start)), .createStream(id, "main", channels: 1, placed: false),
        .stream(id, "main", .sources([.ports(ProgramPorts("\(id):*")!)])),
        .destination(id, "main", "x", .on(true)), .destination(id, "main", "y", .on(true)),
        .session(id, .gain(.set(-20))),
      ]
    }
    return try Show.state(events + [.group("one", .create), .group("two", .create)])
  }

  private static let streams = (["a", "b", "c"] as [SessionID]).map {
    StreamAddress(session: $0, stream: "main")
  }

  private func random(_ chance: inout SeededGenerator) -> Event {
    func pick<Element>(_ list: [Element]) -> Element { list.randomElement(using: &chance)! }
    let (session, output): (SessionID, PortID) = (pick(["a", "b", "c"]), pick(["x", "y"]))
    let group: GroupID = pick(["one", "two"])
    let level: ControlMove = pick([
      .set(0), .set(-6), .set(-20), .set(-90), .set(4), .set(-12, over: 0.2), .set(2, over: 0.35),
    ])
    let members = ["session:a", "session:*", "stream:b.main", "stream:c.main", "output:x", "session:c"]
    switch Int.random(in: 0..<12, using: &chance) {
    case 0: return .session(session, .gain(level))
    case 1: return .session(session, .maximum(pick([10, 0, -10])))
    case 2: return .session(session, .muted(pick([true, false, false])))
    case 3: return .stream(session, "main", .gain(level))
    case 4: return .port(.output, output, .gain(level))
    case 5: return .port(.output, output, .maximum(pick([10, 0, -6])))
    case 6, 7: return .group(group, .set(.gain(level)))
    case 8: return .group(group, .set(.muted(pick([true, false, false]))))
    case 9, 10:
      return .group(
        group,
        .set(
          .members(
            (0..<Int.random(in: 0..<4, using: &chance)).compactMap { _ in GroupPattern(pick(members)) })))
    default:
      return pick([
        .group(group, .remove), .group(group, .create), .group(group, .set(.maximum(pick([10, 0])))),
      ])
    }
  }

  @Test(
    "Each stream is heard in each output at the plain sum of its gains and those of its groups, without a step",
    arguments: 0..<Soak.count(2, of: 12))
  func sums(_ seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    let desk = ConstantDesk(try show())
    desk.play(2_400, Self.streams[0])
    var (heardOnce, silent) = (0, 0)
    for round in 0..<60 {
      let stream = Self.streams.randomElement(using: &chance)!
      desk.listenElsewhere()
      desk.play(64, stream)
      for _ in 0..<4 {
        desk.handle(random(&chance))
        desk.play(Int.random(in: 1...700, using: &chance), stream)
      }
      let heard = desk.play(48_000 / 2, stream)
      for output: PortID in ["x", "y"] {
        let wanted = reference(stream, output, desk.state) * Double(ConstantDesk.source)
        let level = Double(heard[.output(output, 1)] ?? -1)
        if wanted > 0 { heardOnce += 1 } else { silent += 1 }
        #expect(
          abs(level - wanted) <= 1e-8 + 1e-5 * wanted,
          "seed \(seed), round \(round), \(output): \(level), \(wanted)")
      }
    }
    // The steepest ramps of 20 ms rise by 0.002 of their height from sample to sample, and no level is above 26 dB.
    #expect(desk.step < 0.002 * 20 * ConstantDesk.source * 2, "\(desk.step)")
    #expect(heardOnce > 20 && silent > 5, "\(heardOnce) \(silent)")
  }

  /// The levels heard at output x while session a plays, every 64 frames, from an event on.
  private func levels(_ desk: ConstantDesk, _ seconds: Double) -> [Float] {
    (0..<Int(seconds * 750)).map { _ in
      (desk.play(64, Self.streams[0])[.output("x", 1)] ?? 0) / ConstantDesk.source
    }
  }

  @Test("Fades of a session and of two groups add up at every moment, whatever their ends and curves")
  func fades() throws {
    var state = try show()
    for event in [
      Event.group("one", .set(.members([GroupPattern("session:a")!]))),
      .group("two", .set(.members([GroupPattern("session:*")!]))),
    ] {
      _ = try Policy.reduce(&state, event, at: 0)
    }
    let desk = ConstantDesk(state)
    desk.play(4_800, Self.streams[0])
    desk.handle(.group("one", .set(.gain(.set(-30, over: 1)))))
    _ = levels(desk, 0.2)
    desk.handle(.router(.fadeCurve(.linear)))
    desk.handle(.group("two", .set(.gain(.set(6, over: 0.4)))))
    _ = levels(desk, 0.1)
    desk.handle(.session("a", .gain(.set(-10))))
    _ = levels(desk, 0.15)
    for _ in 0..<60 {
      let heard = levels(desk, 0.01).last ?? 0
      let wanted = try [
        #require(desk.state.sessions["a"]).gain, #require(desk.state.groups["one"]).gain,
        #require(desk.state.groups["two"]).gain,
      ].reduce(1) { $0 * Decibels.power($1.value(at: desk.time, isLevel: true)) }
      #expect(abs(Double(heard) / wanted - 1) < 0.02, "\(desk.time) s: \(heard), \(wanted)")
    }
    #expect(!desk.keeper.isSliding)
  }

  @Test("A group never lifts a member above its maximum, not for a sample")
  func maximum() throws {
    var state = try show()
    for event in [
      Event.session("a", .maximum(-12)), .session("a", .gain(.set(-30))),
      .group("one", .set(.members([GroupPattern("session:a")!]))),
    ] { _ = try Policy.reduce(&state, event, at: 0) }
    let desk = ConstantDesk(state)
    desk.play(4_800, Self.streams[0])
    let most = Decibels(-12).amplitude * 1.000_01
    for event in [
      Event.group("one", .set(.gain(.set(10)))), .session("a", .gain(.set(-12))),
      .group("one", .set(.gain(.set(-40, over: 0.3)))),
      .session("a", .gain(.set(-20))), .group("one", .set(.gain(.set(10, over: 0.3)))),
      .session("a", .gain(.set(-12, over: 0.1))),
    ] {
      desk.handle(event)
      #expect(levels(desk, 0.15).allSatisfy { $0 <= most })
    }
    #expect(abs((levels(desk, 0.4).last ?? 0) - Decibels(-12).amplitude) < 1e-5)
  }

  @Test("The members of an exclusive group cross with equal power")
  func crossing() throws {
    var state = try show()
    for event in [
      Event.group("one", .set(.members([GroupPattern("session:*")!]))), .group("one", .set(.exclusive(true))),
      .router(.ramp(.set(0.2))),
    ] { _ = try Policy.reduce(&state, event, at: 0) }
    func course(_ stream: StreamAddress) -> [Float] {
      let desk = ConstantDesk(state)
      desk.play(24_000, stream)
      desk.handle(.session("b", .muted(false)))
      return (0..<140).map { _ in (desk.play(64, stream)[.output("x", 1)] ?? 0) / ConstantDesk.source }
    }
    let (falling, rising) = (course(Self.streams[0]), course(Self.streams[1]))
    let whole = Decibels(-20).amplitude
    #expect(falling.first! > whole * 0.9 && rising.first! < whole * 0.1)
    for (a, b) in zip(falling, rising) {
      #expect(abs((a * a + b * b).squareRoot() / whole - 1) < 0.01, "\(a) \(b)")
    }
  }

  @Test("A group that is removed while it mutes lets its members rise along the ramp")
  func removal() throws {
    var state = try show()
    for event in [
      Event.group("one", .set(.members([GroupPattern("session:a")!]))), .group("one", .set(.muted(true))),
    ] {
      _ = try Policy.reduce(&state, event, at: 0)
    }
    let desk = ConstantDesk(state)
    desk.play(4_800, Self.streams[0])
    #expect(levels(desk, 0.01).last == 0)
    desk.handle(.group("one", .remove))
    let heard = levels(desk, 0.04)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 <= $1 } && heard[5] < Decibels(-20).amplitude)
    #expect(abs((heard.last ?? 0) - Decibels(-20).amplitude) < 1e-6)
  }

  @Test("A mute of a group with 64 members moves their stages alone, in one publication")
  func publication() throws {
    var state = try show()
    for number in 0..<61 {
      let id = SessionID("s\(number)")!
      _ = try Policy.reduce(
        &state, .createSession(id, SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
        at: 0)
    }
    _ = try Policy.reduce(&state, .group("one", .set(.members([GroupPattern("session:*")!]))), at: 0)
    var muted = state
    _ = try Policy.reduce(&muted, .group("one", .set(.muted(true))), at: 0)
    #expect(muted.hasSameTopology(as: state))
    let part = try #require(LevelBuilder.changes(of: muted, since: state, Liveness(), at: 0))
    let mutes = part.stages.filter { if case .sessionMute = $0.key { true } else { false } }
    #expect(mutes.count == 64 && mutes.values.allSatisfy { $0.target == 0 })
    #expect(part.treatments.isEmpty)
  }
}

extension Decibels {
  /// The amplitude of a level, in double precision.
  fileprivate static func power(_ level: Double) -> Double { level.isFinite ? pow(10, level / 20) : level }
}
