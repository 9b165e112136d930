import CRealtime
import EffectBlocks
import Effects

/// A chain that runs.
///
/// The thread that loads makes it and frees it; between that the sound thread alone uses it, and allocates nothing.
final class RunningChain {
  let place: Int
  let revision: Int
  private let (channels, sideChannels): (Int, Int)
  private let exchange: EffectExchange
  private let blocks: EffectBlocks
  private let (first, second, side): (ChannelBuffers, ChannelBuffers, ChannelBuffers)
  private var effects: [RunningEffect] = []
  /// Meters of each effect for which there is room, and the number of the first one.
  private var meters: [(first: Int, count: Int)] = []
  /// Whether an effect has done what silences the chain.
  private var isFaulty = false

  /// Why a chain cannot be loaded, and because of which of its effects, counted from 0.
  struct Refusal: Error {
    var effect: Int
    var reason: PluginError
  }

  /// Loads the plugins of a chain.
  init(
    _ chain: EffectChain, place: Int, revision: Int, _ exchange: EffectExchange, _ world: PluginWorld,
    _ host: HostFeatures, _ worker: PluginWorker
  ) throws(Refusal) {
    guard (1...EffectLimits.channels).contains(chain.channels),
      (0...EffectLimits.sideChannels).contains(chain.sideChannels),
      (1...EffectLimits.effects).contains(chain.effects.count)
    else {
      throw Refusal(
        effect: 0,
        reason: .badChain(
          "a chain has 1 to \(EffectLimits.channels) channels, at most \(EffectLimits.sideChannels) of a side chain, and 1 to \(EffectLimits.effects) effects"
        ))
    }
    (self.place, self.revision, self.exchange) = (place, revision, exchange)
    (channels, sideChannels, blocks) = (chain.channels, chain.sideChannels, exchange.chain(place))
    let frames = host.settings.frames
    first = ChannelBuffers(channels: channels, frames: frames)
    second = ChannelBuffers(channels: channels, frames: frames)
    side = ChannelBuffers(channels: sideChannels, frames: frames)
    var room = EffectLimits.meters
    for (index, effect) in chain.effects.enumerated() {
      let (place, isEven) = (EffectPlace(chain: place, effect: index), index.isMultiple(of: 2))
      exchange.begin(place, on: .loader)
      defer { exchange.end(on: .loader) }
      do throws(PluginError) {
        let running = try RunningEffect(
          effect, place: place, input: isEven ? first : second, output: isEven ? second : first, side: side,
          world, host, worker)
        let count = min(room, running.description.meters.count)
        meters.append((EffectLimits.meters - room, count))
        room -= count
        effects.append(running)
      } catch {
        unload()
        throw Refusal(effect: index, reason: error)
      }
    }
  }

  /// What the router is told of it.
  var loaded: LoadedChain {
    LoadedChain(
      place: place, revision: revision, latency: latency,
      effects: zip(effects, meters).map { effect, meters in
        LoadedEffect(
          description: effect.description, base: effect.base, firstMeter: meters.first,
          meterCount: meters.count, notes: effect.notes)
      })
  }

  private var latency: Int {
    var sum = 0
    for effect in effects { sum += effect.latency }
    return sum
  }

  /// Frees the plugins, and says meanwhile whose code runs.
  func unload() {
    for index in effects.indices.reversed() {
      exchange.begin(EffectPlace(chain: place, effect: index), on: .loader)
      effects.removeLast()
      exchange.end(on: .loader)
    }
  }

  // MARK: The sound thread

  /// Begins to use the chain's part of the shared memory.
  func begin() { blocks.begin(latency: latency) }

  func change(_ change: EffectChange) {
    guard change.revision == revision, effects.indices.contains(change.place.effect) else { return }
    effects[change.place.effect].change(change.port, to: change.value, frames: change.frames)
  }

  /// Processes the block of a period, if the audio thread has given one.
  func run(period: Int) {
    guard !isFaulty, let (begin, frames) = blocks.given(period: period) else { return }
    for channel in 0..<channels {
      first[channel].update(from: blocks.input(channel: channel) + begin, count: frames)
    }
    for channel in 0..<sideChannels {
      side[channel].update(from: blocks.side(channel: channel, period: period), count: frames)
    }
    for index in effects.indices {
      let begin = mr_monotonic_nanoseconds()
      exchange.begin(EffectPlace(chain: place, effect: index), on: .sound)
      let fault = effects[index].run(frames: frames)
      exchange.end(on: .sound)
      blocks.note(effect: index, nanoseconds: Int(mr_monotonic_nanoseconds() - begin))
      if let fault {
        isFaulty = true
        blocks.note(effect: index, fault: fault)
        return
      }
      for meter in 0..<meters[index].count {
        blocks.meter(meters[index].first + meter).pointee = effects[index].shown(meter)
      }
    }
    let last = effects.count.isMultiple(of: 2) ? first : second
    for channel in 0..<channels {
      blocks.output(channel: channel, period: period).update(from: last[channel], count: frames)
    }
    blocks.finish(period: period, frames: frames, latency: latency, revision: revision)
  }
}
