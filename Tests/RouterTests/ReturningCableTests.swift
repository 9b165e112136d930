import MixKernel
import SessionModel
import SessionPolicy
import Testing

@testable import Router

/// Cables that come and go otherwise than we asked: a device that is back while its gate still closes, a server that is busy.
@Suite struct ReturningCableTests {
  private let backend = Cables()

  private func state() throws -> RouterState {
    var state = RouterState()
    let port = Port(
      id: "usb", name: "USB", type: .usbAudio, globs: [PortGlob("USB:in_1")!, PortGlob("USB:in_2")!],
      channels: 2)
    let members = PortPresence(.output, "usb", members: ["USB:in_1", "USB:in_2"])
    for event in [Event.declarePort(.output, port), .portsPresent([members])] {
      _ = try Policy.reduce(&state, event, at: 0)
    }
    return state
  }

  private func look(
    _ reconciler: inout Reconciler, _ system: [SystemPort], _ frame: UInt64, isWanted: Bool = true
  ) throws {
    let state = isWanted ? try state() : RouterState()
    let wanted = WantedLinks(state, system, client: "multiroute")
    reconciler.reconcile(wanted, system, at: backend, frame: frame, closed: frame + 1_000, gone: frame)
  }

  private let device = ["USB:in_1", "USB:in_2"].map { SystemPort(name: $0, isInput: true) }

  @Test("Cables that went and could be back between two looks are made anew behind a closed gate")
  func betweenLooks() throws {
    var reconciler = Reconciler()
    try look(&reconciler, device, 0)
    #expect(backend.cables.count == 2)
    #expect(!reconciler.mustClose(.output("usb")))
    backend.cables = []
    try look(&reconciler, device, 5_000)
    #expect(backend.cables.isEmpty)
    #expect(reconciler.mustClose(.output("usb")) && reconciler.isClosing)
    try look(&reconciler, device, 5_999)
    #expect(backend.cables.isEmpty)
    try look(&reconciler, device, 6_000)
    #expect(backend.cables.count == 2)
    #expect(!reconciler.mustClose(.output("usb")) && !reconciler.isClosing)
  }

  @Test("One cable that a person pulls is made again at once, and the other channels are left in peace")
  func onePulled() throws {
    var reconciler = Reconciler()
    try look(&reconciler, device, 0)
    backend.cables.remove(["multiroute:to-usb_1", "USB:in_1"])
    try look(&reconciler, device, 5_000)
    #expect(backend.cables.count == 2)
    #expect(!reconciler.mustClose(.output("usb")))
  }

  @Test(
    "Cables that a busy server shows late are ours, and go behind a closed gate", arguments: [false, true])
  func late(isSeen: Bool) throws {
    var reconciler = Reconciler()
    backend.isBusy = true
    try look(&reconciler, device, 0)
    #expect(backend.cables.isEmpty && reconciler.hasRefusals)
    backend.isBusy = false
    if isSeen { try look(&reconciler, device, 100) }
    #expect(backend.cables.count == 2)
    try look(&reconciler, device, 200, isWanted: false)
    #expect(backend.cables.count == 2 && reconciler.mustClose(.output("usb")))
    try look(&reconciler, device, 1_200, isWanted: false)
    #expect(backend.cables.isEmpty)
  }

  @Test("An owner that was seen without cables waits until its gate has closed")
  func seen() throws {
    var reconciler = Reconciler()
    reconciler.rest(.output("usb"), until: 300)
    try look(&reconciler, device, 299)
    #expect(backend.cables.isEmpty)
    try look(&reconciler, device, 300)
    #expect(backend.cables.count == 2)
  }
}

/// A server that has nothing but cables.
private final class Cables: AudioBackend {
  var cables: Set<[String]> = []
  /// Whether it says yes and makes cables only when it is not busy any more.
  var isBusy = false { didSet { if !isBusy { cables.formUnion(late) } } }
  private var late: Set<[String]> = []
  let (clientName, sampleRate, period) = ("multiroute", 48_000, 256)
  let serverIdentity: String? = nil
  func seek(name: String, server: String?) {}
  func takeFinding() -> Finding? { nil }
  func open(kernel: (_ sampleRate: Int) -> UnsafeMutablePointer<KernelState>) throws(BackendError) {}
  func requestPeriod(_ frames: Int) throws(BackendError) {}
  func close() {}
  func takeNotices() -> [ServerNotice] { [] }
  func register(_ name: String, prettyName: String, isSource: Bool) throws(BackendError) -> PortHandle {
    throw .refused(name)
  }
  func unregister(_ port: PortHandle) {}
  func systemPorts() -> [SystemPort] { [] }
  func connections(of port: String) -> [String] { cables.filter { $0[0] == port }.map { $0[1] } }
  func connect(_ source: String, to sink: String) -> Bool {
    if isBusy { late.insert([source, sink]) } else { cables.insert([source, sink]) }
    return true
  }
  func disconnect(_ source: String, from sink: String) { cables.remove([source, sink]) }
  func publish(_ paths: [LatencyPath]) {}
  func playbackLatency(of port: String) -> Int { 0 }
  func captureLatency(of port: String) -> Int { 0 }
}
