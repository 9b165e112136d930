import EffectKernel
import Effects
import SessionModel
import Testing

@testable import Router

@Suite("What the router keeps of effects")
struct EffectsKeeperTests {
  @Test(
    "Effects begin when those of the scene before have left the mix, if both need more memory than there is")
  func exchange() throws {
    func scene(_ name: String) throws -> RouterState {
      let events = (1...40).flatMap { number -> [Event] in
        let id = SessionID("\(name)\(number)")!
        return [
          .createSession(id, SessionConfiguration(category: .playback, options: .mixWithOthers)),
          .createStream(id, "main", channels: 2, placed: true),
          .insert(.stream(id, "main"), .effects([Effect("urn:a")])),
        ]
      }
      return try Show.state(Show.ports + events)
    }
    let keeper = EffectsKeeper(EffectsKeeper.Settings(rate: 48_000, program: "/bin/true")) { _ in }
    keeper.follow(try scene("a"), period: 64, fading: 0)
    var plan = keeper.mix
    #expect(plan.count == 40)
    let next = try scene("b")
    keeper.follow(next, period: 64, fading: 0)
    #expect(keeper.mix.count == 24 && keeper.isReleasing && !keeper.release())
    plan = [:]
    #expect(plan.isEmpty && keeper.release())
    keeper.follow(next, period: 64, fading: nil)
    #expect(keeper.mix.count == 40 && !keeper.isReleasing)
  }

  @Test(
    "A chain that comes again does not take the memory of the former one before the program has let that go")
  func comesAgain() throws {
    func stream(_ effects: [Effect]) throws -> RouterState {
      try Show.state(
        Show.ports + [
          .createSession("a", SessionConfiguration(category: .playback)),
          .createStream("a", "main", channels: 2, placed: true),
          .insert(.stream("a", "main"), .effects(effects)),
        ])
    }
    let keeper = EffectsKeeper(EffectsKeeper.Settings(rate: 48_000, program: "/bin/true")) { _ in }
    let (plain, processed) = (try stream([]), try stream([Effect("urn:a")]))
    keeper.follow(processed, period: 64, fading: nil)
    var plan = keeper.mix
    #expect(plan.values.map(\.store.place) == [0])
    keeper.follow(plain, period: 64, fading: nil)
    plan = [:]
    keeper.follow(processed, period: 64, fading: nil)
    #expect(plan.isEmpty && keeper.mix.values.map(\.store.place) == [1])
  }
}
