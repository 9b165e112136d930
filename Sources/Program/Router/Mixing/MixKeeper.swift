import MixEngine
import MixKernel
import SessionModel

/// Keeps an engine's mix equal to the state, for the router and the renderer.
struct MixKeeper {
  let engine: MixEngine
  /// Frames per second.
  let rate: Double
  private var assembler = MixAssembler()
  /// The state and the connections from which the mix was last made.
  private var mixed = RouterState()
  private var mixedLiveness = Liveness()
  private var mixedMedia = MixMedia()
  /// The last orders for players and recorders. One whose port has only just been made gets its order late.
  private var lastOrders = MediaOrders()
  /// Members of groups whose level is on its way, with the end of the way, in seconds of the router's time.
  private var slides: [GroupMember: Double] = [:]

  /// Returns handles of JACK ports, and asks for ports that are missing. A port without handle stays out of the mix.
  typealias Provide = ([PortKey]) -> [PortKey: PortHandle]

  init(engine: MixEngine, rate: Double) { (self.engine, self.rate) = (engine, rate) }

  /// Where sound enters and leaves the mix; sources and sinks are each in the order of the structure.
  var points: [MixPoint] { assembler.points }
  /// The outputs that recorders record, in the order of the structure.
  var copies: [MixTopology.Copy] { assembler.copies }
  /// The router's own JACK ports that the mix needs.
  var ports: [PortKey] { points.compactMap(\.port) }
  /// The wanted crosspoints.
  var sounding: [MixTopology.CellKey] { assembler.sounding }
  var isFadingOut: Bool { assembler.isFadingOut }

  /// Publishes the changes of the mix: only levels if the topology is the same.
  /// - Parameters:
  ///   - margin: frames after which the audio thread surely uses a plan that is published now.
  ///   - fade: seconds of a recall's fade, which everything takes that opens or closes in this update; nil is the router's ramp.
  ///   - media: the players and recorders.
  ///   - orders: the newest orders of all of them if any is new. They take effect together with the levels.
  ///   - feeds: the ports of other clients that a state connects to the router's ports, by these ports' names. Only a recall asks.
  mutating func update(
    _ state: RouterState, _ liveness: Liveness, at time: Double, margin: Int, fade: Double? = nil,
    media: MixMedia = MixMedia(), orders: MediaOrders = MediaOrders(),
    feeds: (RouterState) -> [String: Set<String>] = { _ in [:] }, provide: Provide
  ) -> MixChange {
    guard state != mixed || liveness != mixedLiveness || !orders.isEmpty || media != mixedMedia else {
      return .levels([:])
    }
    let isSame = mixed.hasSameTopology(as: state) && media == mixedMedia
    let switching = fade.map { MixLevels.Switching(seconds: max($0, state.ramp.target), shape: .equalPower) }
    if let switching { assembler.crossfade = MixAssembler.Crossfade(end: time + switching.seconds) }
    let before = mixed
    let part =
      isSame && liveness == mixedLiveness
      ? LevelBuilder.changes(of: state, since: mixed, liveness, at: time, switching) : nil
    (mixed, mixedLiveness, mixedMedia) = (state, liveness, media)
    if !orders.isEmpty || media == MixMedia() { lastOrders = orders }
    if let part { slides.merge(part.slides) { $1 } }
    if let part, !assembler.needsWhole(part) {
      return .levels(assembler.publish(changing: part, to: engine, rate: rate, at: time, orders: orders))
    }
    let levels = LevelBuilder.levels(of: state, liveness, at: time, switching)
    slides = levels.slides
    if isSame, !assembler.needsWhole(levels) {
      return .levels(assembler.publish(changing: levels, to: engine, rate: rate, at: time, orders: orders))
    }
    if !isSame {
      assembler.fadeOut = switching ?? MixLevels.Switching(seconds: state.ramp.target)
      let known = switching == nil ? [:] : feeds(before).merging(feeds(state)) { $0.union($1) }
      assembler.setTopology(TopologyBuilder.topology(of: state, media), isCrossfading: switching != nil) {
        known[$0.name] ?? []
      }
    }
    assembler.publish(levels, to: engine, handles: provide(ports), rate: rate, at: time, orders: orders)
    assembler.endFadeOut(at: frame(after: assembler.fadeOut.seconds, margin: margin))
    return .whole
  }

  /// Publishes the whole mix again, for delays that a fade moves and for new ports.
  mutating func refresh(at time: Double, provide: Provide) {
    let levels = LevelBuilder.levels(of: mixed, mixedLiveness, at: time)
    assembler.publish(
      levels, to: engine, handles: provide(ports), rate: rate, at: time, orders: lastOrders)
  }

  /// Whether levels of members of groups are on their way, so that `slide` must be called often.
  var isSliding: Bool { !slides.isEmpty }

  /// Moves the levels of members of groups on along the sums of their fades.
  mutating func slide(at time: Double) {
    guard isSliding else { return }
    let part = LevelBuilder.levels(of: slides.keys, in: mixed, mixedLiveness, at: time)
    slides = part.slides
    _ = assembler.publish(changing: part, to: engine, rate: rate, at: time)
  }

  /// Removes the crosspoints that have faded out.
  /// - Returns: whether any crosspoint was removed.
  mutating func release(at time: Double, provide: Provide) -> Bool {
    guard assembler.isFadingOut, assembler.release(at: engine.framesProcessed) else { return false }
    refresh(at: time, provide: provide)
    return true
  }

  /// The engine frame at which a ramp that is published now has ended.
  func endOfRamp(_ state: RouterState, margin: Int) -> UInt64 {
    frame(after: state.ramp.target, margin: margin)
  }

  private func frame(after seconds: Double, margin: Int) -> UInt64 {
    engine.framesProcessed + UInt64((seconds * rate).rounded(.up)) + UInt64(margin)
  }
}

/// The part of a mix that was published.
enum MixChange: Equatable {
  /// Only these levels; none if the mix did not change.
  case levels(StageChanges)
  /// The whole mix; it may need other JACK ports than before.
  case whole
}
