import Effects
public import EffectsHost
public import JSON5
public import Presets

/// Compares presets with the plugins that are installed, which are read once.
public struct PluginComparison {
  private let installed: InstalledEffects
  private let tell: (String) -> Void
  private var reading: Result<EffectList, InstalledEffects.Failure>?

  /// - Parameter tell: takes what is wrong with bundles, and why plugins cannot be compared.
  public init(_ installed: InstalledEffects, tell: @escaping (String) -> Void) {
    (self.installed, self.tell) = (installed, tell)
  }

  /// What is wrong with the plugins that a preset names, each with its chain. Waits for a short run of the effects program.
  public mutating func problems(of preset: Preset?) -> [(chain: PresetChain, problem: Problem)] {
    guard let preset, !preset.effectChains.isEmpty else { return [] }
    let reading = reading ?? read()
    self.reading = reading
    guard case .success(let list) = reading else { return [] }
    let settings = preset.pluginsWithSettings
    var described = EffectDescriptions(found: [], missing: [])
    do throws(InstalledEffects.Failure) {
      // Ranges that are parts of the rate are about those of most shows.
      if !settings.isEmpty { described = try installed.describe(settings, rate: 48_000) }
    } catch { tell("controls and presets of plugins are not compared: \(error)") }
    return preset.problems(with: list, described)
  }

  private func read() -> Result<EffectList, InstalledEffects.Failure> {
    do throws(InstalledEffects.Failure) {
      let list = try installed.list()
      for problem in list.problems { tell(problem) }
      return .success(list)
    } catch {
      tell("no effect can be used here: \(error)")
      return .failure(error)
    }
  }
}
