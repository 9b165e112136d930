import MediaKernel
import MixEngine
import MixKernel
import SessionModel
import Testing

/// Players and recorders as sources and sinks of the mix.
@Suite struct MediaChannelTests {
  @Test(
    "A recorder of a player records its sound bit for bit, with periods of any length",
    arguments: [1, 15, 64, 65, 1_000, 8_191, 8_192, 8_193, 20_000], LoopBuild.allCases)
  func straight(period: Int, loops: LoopBuild) {
    let rig = Rig(loops)
    let frames = min(20_000, 400 * period)
    let (player, recorder) = (HandPlayer(frames: frames, ring: frames / 2), HandRecorder())
    rig.input = { _, _ in nil }
    rig.publish(
      .straight(player, recorder),
      orders: MediaOrders([(player, player.play())], [(recorder, recorder.record())]))
    while rig.frame < frames { rig.run(min(period, frames - rig.frame)) }
    #expect(recorder.take() == [player.sound(0, 0..<frames), player.sound(1, 0..<frames)])
    #expect(recorder.store.lost == 0 && player.store.underruns == 0)
    rig.run(10)
    #expect(recorder.take() == Array(repeating: Array(repeating: 0, count: 10), count: 2))
    #expect(!player.store.isSounding)
  }

  @Test("Ports go on in a period that is longer than the decks' longest piece")
  func longPeriod() {
    let rig = Rig()
    let player = HandPlayer(channels: 1, frames: 30_000)
    rig.input = { noise($0, $1) }
    var mix = Sample.matrix(2, 3) { $0 == $1 }
    mix.sources.append(player.channel(0))
    mix.rows.append(.init(source: 2, stages: []))
    mix.cells.append(.init(row: 2, sink: 2, stage: Sample.cell(2, 2)))
    rig.publish(mix, orders: MediaOrders([(player, player.play(at: 9_000))]))
    rig.run([20_000, 100])
    for port in 0..<2 { #expect(rig.output[port] == (0..<rig.frame).map { noise(port, $0) }) }
    #expect(rig.output[2] == Array(repeating: 0, count: 9_000) + player.sound(0, 0..<11_100))
    #expect(rig.engine.framesProcessed == 20_100)
  }

  @Test("A player's sound goes on with the next frame in a new structure")
  func newStructure() {
    let rig = Rig()
    let (player, recorder) = (HandPlayer(frames: 10_000), HandRecorder())
    rig.input = { _, _ in nil }
    var orders = MediaOrders([(player, player.play())], [(recorder, recorder.record())])
    for round in 0..<10 {
      var mix = MixStructure.straight(player, recorder)
      for extra in 0..<round {
        mix.sources.append(.init(.port(PortHandle(rawValue: UInt(extra + 1)))))
      }
      rig.publish(mix, orders: orders)
      orders = MediaOrders()
      rig.run([64, 500])
    }
    #expect(recorder.take() == [player.sound(0, 0..<5_640), player.sound(1, 0..<5_640)])
  }

  @Test(
    "One channel of a player may be several sources; channels that the mix does not name advance with the others"
  )
  func sharedChannel() {
    let rig = Rig()
    let (player, recorder) = (HandPlayer(channels: 3, frames: 1_000), HandRecorder())
    rig.input = { _, _ in nil }
    let orders = MediaOrders([(player, player.play())], [(recorder, recorder.record())])
    rig.publish(
      .straight([player.channel(1), player.channel(1)], [recorder.sink(0), recorder.sink(1)]), orders: orders)
    rig.run(500)
    rig.publish(.straight([player.channel(2), player.channel(1)], [recorder.sink(0), recorder.sink(1)]))
    rig.run(500)
    let second = player.sound(1, 0..<1_000)
    #expect(recorder.take() == [second[..<500] + player.sound(2, 500..<1_000), second])
  }

  @Test("A channel of a tap that no sink writes is silent, also where old samples were")
  func unusedChannel() {
    let rig = Rig()
    let recorder = HandRecorder(channels: 3, frames: 64)
    rig.publish(
      .straight(
        (1...3).map { .init(.port(PortHandle(rawValue: $0))) }, (0..<3).map { recorder.sink($0) }),
      orders: MediaOrders([], [(recorder, recorder.record())]))
    let ones = Array(repeating: Float(1), count: 64)
    rig.run(64)
    #expect(recorder.take() == [ones, ones, ones])
    rig.publish(.straight([.init(.port(PortHandle(rawValue: 1)))], [recorder.sink(1)]))
    rig.run(64)
    let silence = Array(repeating: Float(0), count: 64)
    #expect(recorder.take() == [silence, ones, silence])
  }

  @Test("A recorder that does not listen takes nothing, and the peaks of its sinks go on")
  func deaf() throws {
    let rig = Rig()
    let (player, recorder) = (HandPlayer(frames: 1_000), HandRecorder())
    rig.input = { _, _ in nil }
    rig.publish(.straight(player, recorder), orders: MediaOrders([(player, player.play())]))
    rig.run(480)
    #expect(recorder.take() == [[], []])
    let record = try #require(rig.telemetry().last)
    let peak = player.sound(0, 0..<480).map(abs).max()
    #expect(record.sourcePeaks[0] == peak && record.sinkPeaks[0] == peak)
  }

  @Test("A recorder of an output records what the device gets: delayed, with gain and limited")
  func copies() {
    let rig = Rig()
    let recorder = HandRecorder(channels: 3)
    rig.input = { noise($0, $1) }
    var mix = Sample.matrix(6, 6) { $0 != $1 }
    mix.copies = [
      .init(sink: 5, tap: recorder.tap(0)), .init(sink: 1, tap: recorder.tap(2)),
    ]
    rig.publish(
      mix, treatments: [Sample.usb: .init(delay: 100, ceiling: 0.6)],
      orders: MediaOrders([], [(recorder, recorder.record())]))
    var recorded = [[Float]](repeating: [], count: 3)
    for round in 0..<80 {
      rig.set(Sample.outputGain, round % 2 == 0 ? 0.5 : 1, .raisedCosine, 300)
      rig.run(1 + round * 7)
      for (channel, samples) in recorder.take().enumerated() { recorded[channel] += samples }
    }
    #expect(recorded[0] == rig.output[5] && recorded[2] == rig.output[1])
    #expect(recorded[1] == Array(repeating: 0, count: rig.frame))
    #expect(recorded[0].contains(0.6) && recorded[0] != recorded[2])
  }

  @Test("A meter gets what the device gets, beside a recorder and a voice, and telemetry has no power of it")
  func metered() throws {
    let rig = Rig()
    let (recorder, meter) = (HandRecorder(channels: 1), HandRecorder(channels: 2))
    rig.input = { noise($0, $1) }
    var mix = Sample.matrix(6, 6) { $0 != $1 }
    mix.copies = [.init(sink: 4, tap: recorder.tap(0))]
    mix.metered = [.init(sink: 5, tap: meter.tap(0)), .init(sink: 1, tap: meter.tap(1))]
    rig.publish(
      mix, treatments: [Sample.usb: .init(delay: 100, ceiling: 0.6)],
      orders: MediaOrders(
        [], [(recorder, recorder.record()), (meter, TapOrder(serial: 1, listens: true))]))
    rig.run(Array(repeating: 256, count: 40))
    let (recorded, measured) = (recorder.take(), meter.take())
    #expect(measured == [rig.output[5], rig.output[1]] && recorded == [rig.output[4]])
    #expect(measured[0].contains(0.6) && meter.store.mark == nil)
    #expect(try #require(rig.telemetry().last?.power).tapSums.count == 1)
    // Meters that do not listen take nothing.
    rig.engine.publish(
      changing: [:], orders: MediaOrders([], [(meter, TapOrder(serial: 2, listens: false))]))
    rig.run(512)
    #expect(meter.take() == [[], []])
  }

  @Test("A copy goes on while the device's port has no buffer", arguments: [64, 50], [0, 30])
  func copyWithoutDevice(period: Int, delay: Int) {
    let rig = Rig()
    let recorder = HandRecorder(channels: 1)
    rig.input = { noise($0, $1) }
    // Two sinks of one mix, of which the second has no device.
    var mix = Sample.matrix(3, 2)
    for cell in mix.cells.indices { mix.cells[cell].stage = Sample.cell(mix.cells[cell].row, 0) }
    mix.copies = [.init(sink: 1, tap: recorder.tap(0))]
    rig.publish(
      mix, treatments: [Sample.usb: .init(delay: delay, ceiling: 0.6)],
      orders: MediaOrders([], [(recorder, recorder.record())]))
    rig.run(period)
    rig.gone = [1]
    rig.run(Array(repeating: period, count: 20))
    #expect(recorder.take() == [rig.output[0]])
    #expect(rig.output[1].dropFirst(period).filter { !$0.isNaN }.isEmpty)
  }

  @Test("Several recorders may copy one sink, and none may have two writers of one channel")
  func twoWriters() async {
    let rig = Rig()
    let (one, other) = (HandRecorder(channels: 1), HandRecorder(channels: 2))
    var mix = Sample.single
    mix.copies = [.init(sink: 0, tap: one.tap(0)), .init(sink: 0, tap: other.tap(1))]
    rig.publish(mix, orders: MediaOrders([], [(one, one.record()), (other, other.record())]))
    rig.run(64)
    #expect(one.take()[0] == rig.output[0] && other.take()[1] == rig.output[0])
    await #expect(processExitsWith: .failure) {
      let recorder = HandRecorder()
      var mix = MixStructure.straight(HandPlayer(frames: 10), recorder)
      mix.copies = [.init(sink: 1, tap: recorder.tap(0))]
      Rig().publish(mix)
    }
  }

  @Test("The average power of a sine is -3.01 dB at the deck, and what is recorded at the tap")
  func power() throws {
    let rig = Rig()
    let (quarter, recorder) = (SineTable.whole, HandRecorder(channels: 1))
    let player = HandPlayer(channels: 2, frames: 9_600) { quarter[$1 % 48] * ($0 == 0 ? 1 : 0.1) }
    rig.input = { _, _ in 0.25 }
    var mix = Sample.matrix(1, 5)
    mix.sources += [player.channel(1), player.channel(0)]
    mix.rows.append(.init(source: 2, stages: [Sample.gain]))
    mix.sinks.append(recorder.sink(0))
    mix.cells.append(.init(row: 1, sink: 5, stage: Sample.send))
    rig.publish(
      mix, [Sample.gain: rig.level(0.5)],
      orders: MediaOrders([(player, player.play())], [(recorder, recorder.record())]))
    rig.run(Array(repeating: 96, count: 20))
    var records = rig.telemetry()
    #expect(records.count == 4)
    var sum = records.removeFirst()
    for record in records { sum.add(record) }
    let power = try #require(sum.power)
    #expect(power.frames == 1_920 && power.deckSums.count == 2 && power.tapSums.count == 1)
    // The mean squares of -3.01, -23.01 and -9.03 dB.
    #expect(abs(power.mean(power.deckSums[1]) - 0.5) < 1e-4)
    #expect(abs(power.mean(power.deckSums[0]) - 0.005) < 1e-6)
    #expect(abs(power.mean(power.tapSums[0]) - 0.125) < 1e-4)
    mix.copies = [.init(sink: 2, tap: HandRecorder(channels: 1).tap(0))]
    rig.publish(mix)
    rig.run(480)
    let copied = try #require(rig.telemetry().last?.power)
    // The time of players and recorders is a stage of its own.
    let timed = try #require(rig.telemetry().last ?? records.last)
    #expect(timed.playersNanoseconds > 0 && timed.worst.players > 0)
    #expect(copied.tapSums.count == 2 && abs(copied.mean(copied.tapSums[1]) - 0.0625) < 1e-6)
    rig.publish(Sample.single)
    rig.run(480)
    let bare = try #require(rig.telemetry().last)
    #expect(bare.power == nil)
  }
}

/// One period of a sine in 48 frames, without the mathematics library: two numbers that turn around each other.
private enum SineTable {
  static let whole: [Float] = {
    // Cosine and sine of 360 / 48 degrees.
    let (cosine, sine) = (0.991_444_861_373_810_4, 0.130_526_192_220_051_57)
    var (x, y) = (1.0, 0.0)
    return (0..<48).map { _ in
      defer { (x, y) = (x * cosine - y * sine, x * sine + y * cosine) }
      return Float(y)
    }
  }()
}
