import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

@Suite("Meters of plugins")
struct EffectMeterTests {
  private static let places: [InsertPlace] = [
    .stream("show", "main"), .output("usb"), .input("usb"), .capture("show"),
  ]

  @Test(
    "Wherever the plugin is, its meter comes to subscriptions that name it, and to no other",
    arguments: places)
  func subscription(place: InsertPlace) throws {
    var desk = try Desk.stage()
    try Example.addEffects(to: &desk)
    let address = "\(place.address)/effect/2/meter/gain"
    var levels = MeterLevels()
    levels.effects[MeterLevels.EffectMeter(place, effect: 2, symbol: "gain")] = -6
    #expect(desk.get(address) == [0.0])
    for (pattern, isWanted) in [
      (address, true), ("\(place.address)/effect/*/meter/*", true), (place.address, false),
      ("/", false), ("/*/*/effect/1/meter/*", false),
    ] {
      desk.send("/subscribe", .string(pattern), from: Desk.other)
      desk.wait(0.2, as: Desk.other)
      desk.surface.measure(levels)
      let heard = desk.wait(0.1, as: Desk.other)
      #expect(heard[address] == (isWanted ? [-6.0] : nil), "\(pattern)")
      desk.send("/unsubscribe", .string(pattern), from: Desk.other)
    }
    #expect(desk.get(address) == [-6.0])
  }
}
