import AwaitedEvents
import EffectBlocks
import Effects
import EffectsHost
import Foundation
import Glibc
import Testing
import WildPlugins

@Suite("Plugins that crash, hang, are late or say NaN", .serialized)
struct FaultTests {
  private static let wild = WildPlugins.uri("wild")
  private static let other = WildPlugins.uri("other")

  /// A rig with two chains in real time: the first one with a plugin that will misbehave between two good ones, the second one good.
  private struct Scene {
    let rig: Rig
    var chains = [
      2: EffectChain(channels: 1, effects: [Effect(other), Effect(wild), Effect(other)]),
      3: EffectChain(channels: 1, effects: [Effect(other)]),
    ]

    init() throws {
      rig = try Rig()
      rig.host.keep(chains)
      _ = try (rig.loaded(2), rig.loaded(3))
    }

    /// Has the plugin misbehave, and runs periods until the host has said so and both chains run again.
    mutating func misbehave(_ fault: Int) throws -> (place: EffectPlace, trouble: EffectTrouble, why: String)
    {
      chains[2]?.effects[1].values["fault"] = Float(fault)
      rig.host.keep(chains)
      let rig = rig
      #expect(
        rig.beat([2, 3]) { _ in rig.reports.count { if case .faulty = $0 { true } else { false } } == 1 },
        "reported: \(rig.reports.all)")
      let fault = try rig.fault()
      let chain = try rig.loaded(2, effects: 2)
      #expect(chain.effects.keys.sorted() == [0, 2])
      _ = try rig.loaded(3)
      let sound = (0..<640).map { Float($0) / 640 }
      #expect(try rig.run(sound, at: 2) == sound)
      #expect(try rig.run(sound, at: 3) == sound)
      return fault
    }
  }

  @Test(
    "The host names the plugin that ended the program, and goes on without it",
    arguments: [
      (1, "urn:multiroute:wild has crashed (signal 11)"), (2, "urn:multiroute:wild has crashed (signal 6)"),
      (3, "urn:multiroute:wild has ended its program (exit code 3)"),
      (8, "urn:multiroute:wild has crashed (signal 11)"),
    ])
  func crash(fault: Int, why: String) throws {
    var scene = try Scene()
    let said = try scene.misbehave(fault)
    #expect(said.place == EffectPlace(chain: 2, effect: 1) && said.trouble == .crashed)
    #expect(said.why == why)
  }

  @Test("A plugin that does not return is named after two seconds")
  func hang() throws {
    var scene = try Scene()
    let said = try scene.misbehave(4)
    #expect(said.place == EffectPlace(chain: 2, effect: 1) && said.trouble == .hung)
    #expect(said.why == "urn:multiroute:wild has not returned for two seconds")
  }

  @Test("Of all late effects the one that takes the time is left out")
  func late() throws {
    var scene = try Scene()
    let said = try scene.misbehave(5)
    #expect(said.place == EffectPlace(chain: 2, effect: 1) && said.trouble == .slow)
    #expect(said.why.hasPrefix("urn:multiroute:wild is late again and again: it takes "), "\(said.why)")
  }

  @Test("If chains are late and no effect takes the time, the machine is too slow, and nobody is left out")
  func slowMachine() throws {
    let rig = try Scene().rig
    let blocks = [2: rig.exchange.chain(2), 3: rig.exchange.chain(3)]
    let revision = try rig.loaded(2).revision
    // What the audio thread wants of the chain is never ready. A machine that is busy may make the other chain late, too.
    #expect(
      rig.beat([3]) { period in
        _ = blocks[2]?.take(period: period, frames: 64, revision: revision + 100)
        return rig.reports.count { if case .late(let chains) = $0 { chains.contains(2) } else { false } } > 0
      }, "reported: \(rig.reports.all)")
    #expect(!rig.reports.all.contains { if case .faulty = $0 { true } else { false } })
  }

  @Test("A block with NaN or infinity is never given back, and its plugin is left out", arguments: [6, 7])
  func notFinite(fault: Int) throws {
    var scene = try Scene()
    let said = try scene.misbehave(fault)
    #expect(said.place == EffectPlace(chain: 2, effect: 1) && said.trouble == .notFinite)
    #expect(said.why == "urn:multiroute:wild makes samples that are no finite numbers")
    // The program has not ended for that.
    #expect(!scene.rig.reports.all.contains { if case .ended = $0 { true } else { false } })
  }

  @Test("A plugin that crashes while it is loaded is named, and so is one that never ends to load")
  func loading() throws {
    let rig = try Rig()
    rig.host.keep([
      0: EffectChain(channels: 1, effects: [Effect(Self.other), Effect(WildPlugins.uri("crashes"))]),
      1: EffectChain(channels: 1, effects: [Effect(WildPlugins.uri("hangs")), Effect(Self.other)]),
    ])
    let faults = [
      EffectReport.faulty(
        EffectPlace(chain: 0, effect: 1), .crashed, why: "urn:multiroute:crashes has crashed (signal 11)"),
      .faulty(
        EffectPlace(chain: 1, effect: 0), .hung,
        why: "urn:multiroute:hangs has not returned for 20 seconds"),
    ]
    #expect(
      rig.reports.wait { faults.allSatisfy(rig.reports.all.contains) }, "reported: \(rig.reports.all)")
    #expect(try rig.loaded(0).effects.keys.sorted() == [0])
    #expect(try rig.loaded(1).effects.keys.sorted() == [1])
  }

  @Test(
    "An effect that was left out is tried again when asked, and a chain without any other is just not there")
  func tryAgain() throws {
    let rig = try Rig()
    rig.host.keep([0: EffectChain(channels: 1, effects: [Effect(WildPlugins.uri("refuses"))])])
    func refusals() -> Int { rig.reports.count { if case .faulty = $0 { true } else { false } } }
    #expect(rig.reports.wait { refusals() == 1 })
    rig.host.tryAgain()
    #expect(rig.reports.wait { refusals() == 2 })
    rig.host.keep([0: EffectChain(channels: 1, effects: [Effect(Self.wild)])])
    #expect(try rig.loaded().effects.count == 1)
  }

  @Test(
    "Somebody who kills or stops the program at any moment costs a restart, and no plugin is blamed"
  )
  func signals() throws {
    let scene = try Scene()
    let rig = scene.rig
    func ends() -> [String] {
      rig.reports.all.compactMap { if case .ended(let why, _) = $0 { why } else { nil } }
    }
    for turn in 0..<20 {
      let (isStop, child) = (turn % 4 == 3, try rig.program())
      // A moment that differs from turn to turn, counted in periods.
      var isSent = false
      #expect(
        rig.beat([2, 3]) { count in
          if !isSent, count == 3 + turn * 7 {
            kill(child, isStop ? SIGSTOP : SIGKILL)
            isSent = true
          }
          return ends().count > turn
        })
      #expect(
        ends().last?.hasPrefix(
          isStop
            ? "somebody has stopped the effects program"
            : "somebody has killed the effects program (signal 9)")
          == true, "\(ends())")
      let sound = (0..<640).map { Float($0) / 640 }
      #expect(try rig.run(sound, at: 2) == sound)
      #expect(try rig.run(sound, at: 3) == sound)
    }
    #expect(!rig.reports.all.contains { if case .faulty = $0 { true } else { false } })
  }

  @Test("A program that cannot be started, or that is none, is named with the next try")
  func noProgram() throws {
    let missing = try Rig(program: "/nowhere/multiroute-effects")
    missing.host.keep([0: EffectChain(channels: 1, effects: [Effect(Self.wild)])])
    let end = try #require(
      missing.reports.first { report -> (String, Double)? in
        if case .ended(let why, let again) = report { (why, again) } else { nil }
      })
    #expect(end.0 == "/nowhere/multiroute-effects cannot be started: No such file or directory")
    #expect(end.1 == 0.5)
    let wrong = try Rig(program: "/bin/false")
    wrong.host.keep([0: EffectChain(channels: 1, effects: [Effect(Self.wild)])])
    #expect(
      wrong.reports.wait { $0 == .ended(why: "the effects program has ended with 1", again: 0.5) },
      "\(wrong.reports.all)")
  }

  @Test("What plugins print is passed on, and disturbs nothing")
  func said() throws {
    let rig = try Rig()
    try rig.load(EffectChain(channels: 1, effects: [Effect(Self.wild)]))
    #expect(rig.reports.wait { $0 == .said("a wild plugin starts") })
    #expect(rig.reports.wait { $0 == .said("Wild of the tests: plugin number 42") })
  }
}
