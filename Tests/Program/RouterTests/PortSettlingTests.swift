import ServerInterface
import Testing

@testable import Router

/// The router must react once to a device whose ports appear or disappear one by one, when all have changed.
@Suite struct PortSettlingTests {
  private static let playback = SystemPort(name: "usb:playback_1", isInput: true)
  private static let capture = SystemPort(name: "usb:capture_1", isInput: false)
  private static let other = SystemPort(name: "hdmi:playback_1", isInput: true)

  /// The moments in seconds at which the router reacts, of moments at which it looks.
  ///
  /// - Parameter changes: the ports that it finds then, if they differ from those before. At first there are `ports`.
  private func reactions(
    at moments: [Double], from ports: [SystemPort], changes: [Double: [SystemPort]]
  ) -> [Double] {
    var (settling, former) = (PortSettling(), ports)
    return moments.filter { moment in
      if let present = changes[moment] {
        settling.note(former, present, at: moment)
        former = present
      }
      return settling.isOver(at: moment, isAnswered: true)
    }
  }

  @Test("Without a change there is no reaction")
  func calm() { #expect(reactions(at: [1, 2, 3], from: [Self.other], changes: [:]).isEmpty) }

  @Test("A device that appears port by port causes one reaction")
  func appears() {
    let moments = [1.0, 1.0625, 1.125, 1.1875, 1.25, 1.3125]
    let changes = [1.0: [Self.playback], 1.0625: [Self.playback, Self.capture]]
    #expect(reactions(at: moments, from: [], changes: changes) == [1.1875])
  }

  @Test(
    "A device that a busy server takes away port by port causes one reaction, at once after its last port")
  func disappears() {
    let moments = [1.0, 1.125, 1.25, 1.265_625, 1.281_25, 1.5]
    let changes = [1.0: [Self.capture, Self.other], 1.25: [Self.other]]
    let reactions = reactions(at: moments, from: [Self.playback, Self.capture, Self.other], changes: changes)
    #expect(reactions == [1.281_25])
  }

  @Test("A device whose ports a server without a free processor takes away in a second causes one reaction")
  func disappearsSlowly() {
    let ports = (1...4).map { SystemPort(name: "usb:playback_\($0)", isInput: true) } + [Self.capture]
    let changes = [1.0, 1.25, 1.625, 1.875, 2.25].enumerated().map { ($1, Array(ports.dropFirst($0 + 1))) }
    let moments = [1, 1.25, 1.5, 1.625, 1.75, 1.875, 2, 2.125, 2.25, 3]
    let reactions = reactions(at: moments, from: ports, changes: Dictionary(uniqueKeysWithValues: changes))
    #expect(reactions == [2.25])
  }

  @Test("The wait for a device that is partly gone outlasts the change of another device")
  func disappearsBesideAnother() {
    let both = [Self.playback, Self.capture, Self.other]
    let changes = [1.0: [Self.capture, Self.other], 1.125: [Self.capture], 1.25: []]
    #expect(reactions(at: [1, 1.125, 1.1875, 1.25, 1.3125], from: both, changes: changes) == [1.3125])
  }

  @Test("A device that is partly gone causes a reaction after two seconds, even if ports still change")
  func neverWhole() {
    let moments = (0..<24).map { 1 + Double($0) / 8 }
    let changes = Dictionary(
      uniqueKeysWithValues: moments.indices.map { index in
        (moments[index], index.isMultiple(of: 2) ? [Self.capture] : [Self.capture, Self.other])
      })
    let reactions = reactions(at: moments, from: [Self.playback, Self.capture, Self.other], changes: changes)
    #expect(reactions.first == 3)
  }

  @Test("A device that loses only some of its ports causes a reaction half a second later")
  func staysPartly() {
    let moments = [1.0, 1.25, 1.484_375, 1.5, 2]
    let changes = [1.0: [Self.capture]]
    #expect(reactions(at: moments, from: [Self.playback, Self.capture], changes: changes) == [1.5])
  }

  @Test("A change waits until the router has reacted")
  func pending() {
    var settling = PortSettling()
    #expect(!settling.isPending)
    settling.note(at: 1)
    #expect(settling.isPending)
    _ = settling.isOver(at: 2, isAnswered: true)
    #expect(!settling.isPending)
  }

  @Test("While a report of the ports is due, the router waits for it, but not without end")
  func unanswered() {
    var settling = PortSettling()
    settling.note(at: 1)
    let (early, late) = (settling.due(isAnswered: true), settling.due(isAnswered: false))
    #expect(early == 1.02 && late == 1.5)
    let isOver = settling.isOver(at: 1.25, isAnswered: false)
    #expect(!isOver && settling.isPending)
    let isOverAtLast = settling.isOver(at: 1.5, isAnswered: false)
    #expect(isOverAtLast)
  }

  @Test("Ports that change without pause still cause reactions")
  func restless() {
    let moments = (0..<128).map { 1 + Double($0) / 128 }
    let changes = Dictionary(
      uniqueKeysWithValues: moments.indices.map { (moments[$0], [[Self.other], [Self.playback]][$0 % 2]) })
    #expect(reactions(at: moments, from: [], changes: changes) == [1.5])
  }
}
