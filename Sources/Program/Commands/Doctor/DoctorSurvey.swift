import EffectBlocks
import Effects
import EffectsHost
import JSON5
import OSC
import Presets
import SessionModel
import SystemCalls

/// Gathers what the doctor looks at.
enum DoctorSurvey {
  /// How to look at a JACK server of a name; nil is the default server.
  struct Servers: Sendable {
    var join: @Sendable (String?) -> JoinedServer
    var graph: @Sendable (String?) throws(CommandFailure) -> JackGraph
    /// The path of the effects program; nil if it is not installed.
    var effects: String?
  }

  /// - Throws: `CommandFailure` unavailable if a router that the command line names does not answer.
  static func machine(
    _ options: DoctorCommand.Options, at servers: Servers, _ context: Context
  ) throws(CommandFailure) -> Machine {
    var machine = MachineReader().machine(home: context.environment["HOME"])
    var folders = context.folders
    var configuration = Configuration()
    do throws(CommandFailure) { configuration = try Configuration.find(options.configuration, context) } catch
    {
      machine.presets.configurationProblem = error.lines.first ?? "it has a mistake"
    }
    folders.replaceOwn(
      presets: options.presetFolder ?? configuration.presetFolder,
      media: options.mediaFolder ?? configuration.mediaFolder)
    for library in LoadedLibrary.all {
      do throws(DynamicLibrary.Missing) {
        machine.libraries.append(try DynamicLibrary.load(library))
      } catch {
        machine.missingLibraries[library] = error
      }
    }
    machine.disk = DiskMeasure.measure(folders.recordings)
    let server = options.server ?? configuration.server
    machine.serverName = server ?? context.environment["JACK_DEFAULT_SERVER"] ?? Machine.usualServer
    machine.server = servers.join(server)
    do throws(CommandFailure) { machine.router = try router(options.client) } catch {
      if options.isRouterNamed { throw error }
      // A socket that is open belongs to a router; the usual port may belong to nothing.
      if case .unix = options.client.router { machine.routerFailure = error.lines.first }
    }
    var presets = note(folders, configuration, in: &machine.presets)
    var isInForceKnown = true
    if let current = machine.router?.preset {
      let preset = try? folders.library.examine(current).preset
      isInForceKnown = preset != nil
      if let preset { presets.append(preset) }
    }
    machine.effects = effects(of: presets, at: machine.server.settings, servers.effects, context)
    // What a preset outside the folders names is not known.
    if machine.server.settings != nil, isInForceKnown, !presets.isEmpty,
      let graph = try? servers.graph(server)
    {
      machine.unmatchedPorts = graph.ports.filter { port in
        !PortGlob.isMonitor(port.name) && !graph.isOfRouter(port.name)
          && !presets.contains { $0.names(port, among: graph) }
      }
    }
    return machine
  }

  /// Notes the user's presets, and returns those that load.
  private static func note(
    _ folders: Folders, _ configuration: Configuration, in facts: inout Machine.PresetFacts
  ) -> [Preset] {
    let library = folders.library
    let shipped = folders.share.map { "\($0)/presets" }
    let own = PresetLibrary(folders: folders.presets.filter { $0 != shipped }).list()
    facts.count = own.count
    var presets: [Preset] = []
    for entry in own {
      let problem: String
      do throws(CommandFailure) {
        let (preset, problems) = try library.examine(entry.id.name)
        if let preset {
          presets.append(preset)
          continue
        }
        problem = problems.first { $0.severity == .error }?.description ?? "it has a mistake"
      } catch {
        problem = error.lines.first ?? "it cannot be read"
      }
      facts.broken.append(Machine.PresetFacts.Broken(id: entry.id.name, problem: problem))
    }
    facts.order = configuration.scenes.map(\.name)
    let known = Set(library.list().map(\.id))
    facts.missing = configuration.scenes.filter { !known.contains($0) }.map(\.name)
    return presets
  }

  /// Runs the chains of effects of presets, as a server would.
  private static func effects(
    of presets: [Preset], at server: JoinedServer.Settings?, _ program: String?, _ context: Context
  ) -> Machine.EffectFacts {
    let (rate, frames) = (Double(server?.rate ?? 48_000), server?.period ?? 256)
    var facts = Machine.EffectFacts(rate: rate, period: Double(frames) / rate)
    let chains = presets.flatMap { preset in preset.effectChains.map { (preset.id.name, $0) } }
    guard !chains.isEmpty else { return facts }
    guard let program else {
      (facts.failure, facts.cure) = (
        InstalledEffects.Failure.noProgram.description,
        "multiroute-effects   # belongs beside multiroute; install multiroute again"
      )
      return facts
    }
    // Presets may have the same chain.
    var results: [EffectChain: EffectTrial.Result] = [:]
    do throws(EffectTrial.Failure) {
      let trial = try EffectTrial(
        EffectsHost.Settings(
          program: program, rate: rate, frames: min(frames, EffectLimits.frames), priority: 0,
          pluginPath: context.environment["LV2_PATH"]))
      for (preset, chain) in chains {
        if results[chain.chain] == nil { results[chain.chain] = try trial.run(chain.chain) }
        guard let result = results[chain.chain] else { continue }
        facts.chains.append(.init(preset: preset, owner: chain.owner, result: result))
      }
    } catch {
      (facts.failure, facts.cure) = (error.description, LoadedLibrary.effects.package.command())
    }
    return facts
  }

  /// Asks a running router.
  /// - Throws: `CommandFailure` unavailable.
  static func router(_ options: ClientOptions) throws(CommandFailure) -> Machine.RouterFacts {
    var link = try RouterLink(options)
    let ports = try RouterReport.jackPorts(&link)
    let report = try RouterReport(&link, options.router)
    var facts = Machine.RouterFacts(address: "\(options.router)")
    facts.strangers = report.direct
    facts.past = report.sessions.filter { $0.values["direct"]?.first?.integer == 1 }.map { session in
      let causes = (session.values["why"]?.first?.plain ?? "").split(separator: "; ")
      return Machine.RouterFacts.Past(
        session: session.id,
        causes: causes.filter { $0.hasPrefix("also ") }.joined(separator: "; "))
    }
    for port in ports where port.owner == nil && !facts.clients.contains(port.client) {
      facts.clients.append(port.client)
    }
    facts.isAtPipeWire = ports.contains { !$0.names.isEmpty && $0.owner == nil }
    facts.unmatched = report.unmatched.map(\.sentence)
    let current = try link.read("/preset/current").first?.arguments.first?.plain
    facts.preset = current == "none" ? nil : current
    return facts
  }
}
