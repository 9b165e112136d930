import JSON5
import Presets
import SessionModel

/// `multiroute ports`: lists inputs and outputs with their JACK ports, the type assumed for each and why, and the ports of programs.
enum PortsCommand {
  struct Options: Equatable {
    var client: ClientOptions
    var isJSON: Bool
    /// Whether only programs are listed.
    var listsPrograms: Bool

    init(_ arguments: ParsedArguments, _ context: Context) throws(CommandFailure) {
      client = try ClientOptions(arguments, context)
      (isJSON, listsPrograms) = (arguments.has(.json), arguments.has(.programs))
    }
  }

  /// One direction of ports, each with JACK's names in the order of its channels.
  private typealias Side = (direction: String, ports: [(port: RouterReport.Port, names: [String])])

  /// A program, with its ports that are no device of the router.
  private struct Program {
    var name: String
    /// Its names at PipeWire, by their keys; empty if they tell nothing more.
    var names: [ProgramNames.Key: String] = [:]
    /// The ports that sound comes from.
    var sources: [String] = []
    /// The ports that sound goes into.
    var sinks: [String] = []
  }

  static func perform(_ options: Options, _ context: Context) throws(CommandFailure) {
    var link = try RouterLink(options.client)
    let known = try RouterReport.jackPorts(&link)
    var sides: [Side] = []
    for direction in options.listsPrograms ? [] : ["output", "input"] {
      let ports = try RouterReport.ports(direction, &link)
      sides.append(
        (
          direction,
          ports.map { port in
            let own = known.filter { $0.direction == direction && $0.owner == port.id }
            return (port, own.sorted { $0.channel < $1.channel }.map(\.name))
          }
        ))
    }
    let programs = programs(known)
    if options.isJSON { return context.console.write(json(sides, programs).text) }
    if !options.listsPrograms { print(sides, context.console) }
    guard !programs.isEmpty else {
      if options.listsPrograms { context.console.tell("There is no program with JACK ports.") }
      return
    }
    if !options.listsPrograms { context.console.print("") }
    print(programs, context.console)
  }

  private static func programs(_ ports: [RouterReport.JackPort]) -> [Program] {
    var programs: [Program] = []
    let devices = Set(ports.filter { $0.owner != nil }.map(\.client))
    // The monitors of a device belong to the device.
    for port in ports
    where port.owner == nil && !(devices.contains(port.client) && PortGlob.isMonitor(port.name)) {
      let index =
        programs.firstIndex { $0.name == port.client && $0.names == port.names } ?? programs.count
      if index == programs.count { programs.append(Program(name: port.client, names: port.names)) }
      if port.direction == "input" {
        programs[index].sources.append(port.name)
      } else {
        programs[index].sinks.append(port.name)
      }
    }
    return programs
  }

  private static func print(_ sides: [Side], _ console: Console) {
    var table = TextTable([
      ("PORT", .left), ("DIRECTION", .left), ("TYPE", .left), ("CH", .right), ("STATE", .left),
      ("NAME", .left),
      ("WHY THIS TYPE", .left),
    ])
    for (direction, ports) in sides {
      for (port, names) in ports {
        table.append([
          .init(port.id, .bold), .init(direction), .init(port.type), .init("\(port.channels)"),
          port.isAvailable ? .init("there", .green) : .init("away", .red), .init(port.name),
          .init(port.values["reason"]?.first?.plain ?? ""),
        ])
        if !names.isEmpty { table.append(note: .init(names.joined(separator: ", "), .dim)) }
      }
    }
    if table.isEmpty {
      console.tell("The router has no ports: JACK has none, and no preset names one.")
    } else {
      for line in table.lines(console) { console.print(line) }
    }
  }

  private static func print(_ programs: [Program], _ console: Console) {
    var list = TextTable([("PROGRAM", .left), ("SOUND", .left), ("JACK'S NAMES", .left)])
    for program in programs {
      for (title, names) in [("out", program.sources), ("in", program.sinks)] where !names.isEmpty {
        list.append([.init(program.name, .bold), .init(title), .init(names.joined(separator: ", "))])
      }
      let names = ProgramNames.Key.allCases.compactMap { key in
        program.names[key].map { "\(key.rawValue) \($0)" }
      }
      if !names.isEmpty { list.append(note: .init(names.joined(separator: ", "), .dim)) }
    }
    for line in list.lines(console) { console.print(line) }
  }

  private static func json(_ sides: [Side], _ programs: [Program]) -> JSONValue {
    func texts(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
    return .object(
      sides.map { direction, ports in
        .init(
          direction + "s",
          .array(
            ports.map { port, names in
              guard case .object(let members) = RouterReport.port(port) else { return .null }
              return .object(members + [.init("ports", texts(names))])
            }))
      } + [
        .init(
          "programs",
          .array(
            programs.map {
              program(
                $0, .init("outputs", texts($0.sources)), .init("inputs", texts($0.sinks)))
            }))
      ])
  }

  private static func program(_ program: Program, _ ports: JSONValue.Member...) -> JSONValue {
    let names = ProgramNames.Key.allCases.compactMap { key in
      program.names[key].map { JSONValue.Member(key.rawValue, .string($0)) }
    }
    return .object([.init("name", .string(program.name))] + names + ports)
  }
}
