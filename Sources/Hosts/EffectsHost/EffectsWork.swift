import EffectBlocks
import Effects
import SystemCalls
import Threads

/// What the host's thread does: it sleeps until something is wanted, the program says something or ends, and looks 50 times a second whether
/// effects that run are well.
struct EffectsWork {
  let settings: EffectsHost.Settings
  let memory: EffectMemoryStore
  let report: EffectsHost.Report
  private let waker: Int32
  var slots: [Int: EffectSlot] = [:]
  var child: EffectsChild?
  /// Numbers of loads, from 1.
  private var revision = 0
  /// Frames in which controls get to their values.
  private var ramp = 0
  /// Whether the control queue was full.
  private var isBehind = false
  /// When the program may start again, and how long the next pause is after it has ended by itself.
  private var (due, pause) = (0.0, 0.5)
  private(set) var began = 0.0
  var watch = EffectsWatch()
  /// Lines of plugins that may still be passed on in this second, and when it ends.
  private var (lines, linesEnd) = (20, 0.0)

  init(
    _ settings: EffectsHost.Settings, _ memory: EffectMemoryStore, waker: Int32,
    report: @escaping EffectsHost.Report
  ) {
    (self.settings, self.memory, self.waker, self.report) = (settings, memory, waker, report)
  }

  var exchange: EffectExchange { memory.exchange }

  /// Runs until `takeOrders` says that the host stops.
  mutating func run(_ takeOrders: () -> EffectsHost.Orders) {
    while true {
      let orders = takeOrders()
      if orders.isStopping { return end() }
      want(orders)
      start()
      load()
      tell()
      wait()
      look()
    }
  }

  // MARK: What is wanted

  private mutating func want(_ orders: EffectsHost.Orders) {
    ramp = Int(max(0.005, min(orders.seconds, 3_600)) * settings.rate)
    for (place, chain) in orders.chains {
      if slots[place] == nil {
        slots[place] = EffectSlot(chain)
      } else if slots[place]?.wanted != chain {
        slots[place]?.want(chain)
      }
      if orders.forgives { _ = slots[place]?.forgive() }
    }
    let unwanted = slots.keys.filter { orders.chains[$0] == nil }.sorted()
    for place in unwanted { slots[place] = nil }
    if slots.isEmpty { end() }
    for place in unwanted {
      if child?.isReady == true {
        child?.send(.unload(place: place))
      } else {
        report(.unloaded(chain: place))
      }
    }
  }

  /// Starts the program if there is a chain for it.
  private mutating func start() {
    let isNeeded = slots.values.contains { $0.wanted.effects.count > $0.faulty.count }
    guard isNeeded, child == nil, MonotonicTime.now >= due else { return }
    exchange.renew()
    began = MonotonicTime.now
    watch = EffectsWatch()
    do throws(SystemError) {
      let child = try EffectsChild(settings, memory: memory.descriptor)
      self.child = child
      report(.started(process: child.process))
    } catch {
      retry("\(settings.program) cannot be started: \(error.reason)")
    }
  }

  /// Ends a program that nothing needs.
  private mutating func end() {
    guard child != nil else { return }
    exchange.abandon()
    child?.kill()
    _ = child?.reap()
    child = nil
  }

  /// Tells the program which chains it lacks.
  private mutating func load() {
    guard child?.isReady == true else { return }
    child?.flush()
    for place in slots.keys.sorted() where slots[place]?.phase == .new {
      revision += 1
      if let chain = slots[place]?.load(revision: revision, now: MonotonicTime.now) {
        child?.send(.load(place: place, revision: revision, chain))
      } else {
        child?.send(.unload(place: place))
      }
    }
  }

  /// Tells the program which controls move.
  private mutating func tell() {
    isBehind = false
    var isTold = false
    for place in slots.keys {
      let (exchange, ramp, rate) = (exchange, ramp, settings.rate)
      let isDone = slots[place]?.tell(place) { effect, revision, port, value, fade in
        isTold = true
        let frames = fade.map { Int(min($0, 3_600) * rate) } ?? ramp
        return exchange.push(
          EffectChange(effect, revision: revision, port: port, value: value, frames: frames))
      }
      if isDone == false { isBehind = true }
    }
    if isTold { exchange.ring() }
  }

  // MARK: What happens

  private func wait() {
    var waits = [waker]
    if let child {
      waits.append(child.endDescriptor)
      waits += child.descriptors
    }
    let rest = child == nil && !slots.isEmpty ? max(0, due - MonotonicTime.now) * 1_000 : -1
    let patience = child != nil ? 20 : Int32(min(rest.rounded(.up), 60_000))
    guard let ready = try? System.poll(waits, milliseconds: patience) else { return }
    if ready[0] { System.eventfd_read(waker) }
  }

  private mutating func look() {
    guard child != nil else { return }
    read()
    if let isOver = try? System.poll(child?.endDescriptor ?? -1, milliseconds: 0), isOver {
      return ended()
    }
    checkUp()
  }

  private mutating func read() {
    guard let (answers, said) = child?.read() else { return }
    pass(said)
    for answer in answers {
      switch answer {
      case .ready: break
      case .loaded(let chain): loaded(chain)
      case .refused(let place, let revision, let effect, let why):
        guard isPresent(revision, at: place), let number = slots[place]?.number(effect) else { continue }
        blame(EffectPlace(chain: place, effect: number), .refused, why)
      case .unloaded(let place): report(.unloaded(chain: place))
      }
    }
  }

  private func isPresent(_ revision: Int, at place: Int) -> Bool {
    if case .loading(revision, _)? = slots[place]?.phase { true } else { false }
  }

  private mutating func loaded(_ chain: LoadedChain) {
    guard isPresent(chain.revision, at: chain.place), let slot = slots[chain.place],
      slot.numbers.count == chain.effects.count
    else { return }
    let late = exchange.chain(chain.place).late()
    slots[chain.place]?.run(chain, late: late)
    report(
      .loaded(
        chain: chain.place, revision: chain.revision, latency: chain.latency,
        effects: slots[chain.place]?.effects ?? [:]))
  }

  private mutating func pass(_ said: [String]) {
    let now = MonotonicTime.now
    if now >= linesEnd { (lines, linesEnd) = (20, now + 1) }
    for line in said.prefix(lines) { report(.said(line)) }
    lines -= min(lines, said.count)
  }

  // MARK: What goes wrong

  /// Leaves an effect out, by its number in the wanted chain.
  mutating func blame(_ place: EffectPlace, _ trouble: EffectTrouble, _ why: String) {
    slots[place.chain]?.leaveOut(place.effect)
    report(.faulty(place, trouble, why: why))
  }

  /// The place in the wanted chain of an effect of the program, and the plugin's URI.
  func wantedPlace(_ place: EffectPlace?) -> (place: EffectPlace, plugin: String)? {
    guard let place, let slot = slots[place.chain], let number = slot.number(place.effect) else { return nil }
    return (EffectPlace(chain: place.chain, effect: number), slot.wanted.effects[number].plugin)
  }

  /// Ends a program that does not go on.
  mutating func giveUp(_ thread: EffectThread, _ seconds: String) {
    guard let child else { return }
    let (isStopped, running) = (child.isStopped, wantedPlace(exchange.place(of: thread)))
    child.kill()
    read()
    _ = child.reap()
    if !isStopped, let running {
      blame(running.place, .hung, "\(running.plugin) has not returned for \(seconds)")
      restart()
    } else {
      let during = running.map { ", while \($0.plugin) ran" } ?? ""
      let why =
        isStopped
        ? "somebody has stopped the effects program" : "the effects program has not answered for \(seconds)"
      isStopped ? restart("\(why)\(during)") : retry("\(why)\(during)")
    }
  }

  /// The program has ended by itself.
  private mutating func ended() {
    read()
    guard let child else { return }
    let end = child.reap()
    let places = EffectThread.all.map { exchange.place(of: $0) }
    let running =
      exchange.hasCrashed()
      ? exchange.crashedThread().flatMap { places[$0.rawValue] } : places.lazy.compactMap(\.self).first
    let culprit = wantedPlace(running)
    switch end {
    case .killed(let signal) where [.kill, .terminate, .interrupt, .hangUp].contains(signal):
      let during = culprit.map { ", while \($0.plugin) ran" } ?? ""
      restart("somebody has killed the effects program (signal \(signal.rawValue))\(during)")
    case .killed(let signal):
      guard let culprit else {
        return retry("the effects program has crashed (signal \(signal.rawValue)) outside of a plugin's call")
      }
      blame(culprit.place, .crashed, "\(culprit.plugin) has crashed (signal \(signal.rawValue))")
      restart()
    case .exited(let code):
      guard let culprit else {
        let said = child.lastLine.isEmpty ? "" : ": \(child.lastLine)"
        return retry("the effects program has ended with \(code)\(said)")
      }
      blame(culprit.place, .crashed, "\(culprit.plugin) has ended its program (exit code \(code))")
      restart()
    }
  }

  /// Starts the program again at once: the effect that ended it is left out, or it is no plugin's fault.
  private mutating func restart(_ why: String = "the effects program starts again without a faulty effect") {
    lose()
    due = 0
    report(.ended(why: why, again: 0))
  }

  /// Starts the program again: at once after half a minute, otherwise after a pause that grows.
  private mutating func retry(_ why: String) {
    lose()
    let now = MonotonicTime.now
    if now - began >= 30 { pause = 0 }
    due = now + pause
    report(.ended(why: why, again: pause))
    pause = pause == 0 ? 0.5 : min(30, pause * 2)
  }

  private mutating func lose() {
    exchange.abandon()
    child = nil
    for place in slots.keys { slots[place]?.lose() }
  }
}
