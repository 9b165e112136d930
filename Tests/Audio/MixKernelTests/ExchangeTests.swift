import Foundation
import MixEngine
import MixKernel
import SessionModel
import Synchronization
import Testing

@Suite struct ExchangeTests {
  /// Runs a kernel as an audio thread does, until `stop` is set.
  private final class AudioThread: Sendable {
    private let address: UInt
    private let isDone = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ kernel: UnsafeMutablePointer<KernelState>) { address = UInt(bitPattern: kernel) }

    func start() {
      Thread { [self] in
        work()
        hasEnded.signal()
      }.start()
    }

    func stop() {
      isDone.store(true, ordering: .releasing)
      hasEnded.wait()
    }

    private func work() {
      guard let kernel = UnsafeMutablePointer<KernelState>(bitPattern: address) else { return }
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: 64)
      buffer.initialize(repeating: 0.5, count: 64)
      defer { buffer.deallocate() }
      while !isDone.load(ordering: .acquiring) {
        kernel.pointee.adopt()
        for source in 0..<kernel.pointee.sourceCount() {
          kernel.pointee.sourceBuffers()[source] = UnsafePointer(buffer)
        }
        for sink in 0..<kernel.pointee.sinkCount() { kernel.pointee.sinkBuffers()[sink] = nil }
        kernel.pointee.run(frames: 64, waits: false)
      }
    }
  }

  @Test(
    "Plans that are published while the audio thread runs are adopted in order, and all of them are freed")
  func stress() {
    let rig = Rig()
    let engine = rig.engine
    let audio = AudioThread(engine.kernel)
    audio.start()
    let mixes = [Sample.matrix(1, 1), Sample.matrix(40, 9), Sample.matrix(3, 6), Sample.single]
    var (last, newest): (UInt64, UInt64) = (0, 0)
    for round in 0..<4_000 {
      if round % 10 == 0 {
        let mix = mixes[round / 10 % 4]
        var levels: [StageKey: StageLevel] = [:]
        for key in Rig.keys(mix) { levels[key] = rig.level(Float(round % 7) / 7) }
        engine.publish(structure: mix, levels: levels, treatments: [Sample.usb: .init(delay: round % 500)])
      } else {
        rig.set(Sample.outputGain, Float(round % 5) / 5, .raisedCosine, 1 + round)
      }
      let adopted = engine.adoptedSerial
      #expect(adopted >= last && adopted <= engine.serial)
      last = adopted
      if round % 16 == 0 { engine.drainTelemetry { newest = max(newest, $0.serial) } }
    }
    // The audio thread adopts the last plan by itself.
    while engine.adoptedSerial != engine.serial { Thread.sleep(forTimeInterval: 0) }
    audio.stop()
    engine.drainTelemetry { _ in }
    #expect(newest <= engine.serial)
    #expect(engine.livePlans == 1)
  }

  @Test("The serial says which plan is in use")
  func serials() {
    let rig = Rig()
    rig.publish(Sample.single)
    #expect(rig.engine.adoptedSerial == 0)
    rig.run(64)
    #expect(rig.engine.adoptedSerial == 1)
    rig.set(Sample.send, 0)
    #expect(rig.engine.serial == 2)
    #expect(rig.engine.structureSerial == 1)
    rig.run(64)
    #expect(rig.engine.adoptedSerial == 2)
  }

  @Test("The kernel knows the port of each channel")
  func handles() {
    let rig = Rig()
    rig.publish(Sample.matrix(2, 3))
    rig.run(1)
    let kernel = rig.engine.kernel
    #expect((0..<kernel.pointee.sourceCount()).map { kernel.pointee.sourceHandles()[$0] } == [1, 2])
    #expect(
      (0..<kernel.pointee.sinkCount()).map { kernel.pointee.sinkHandles()[$0] } == [1_001, 1_002, 1_003])
  }
}
