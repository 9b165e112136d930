import JSON5
import Presets

/// `multiroute ports`: lists inputs and outputs with their JACK ports, the type assumed for each and why, and the ports of programs.
enum PortsCommand {
  struct Options: Equatable {
    var client: ClientOptions
    var isJSON: Bool

    init(_ arguments: ParsedArguments, _ context: Context) {
      (client, isJSON) = (ClientOptions(arguments, context), arguments.has(.json))
    }
  }

  /// One direction of ports, each with JACK's names in the order of its channels.
  private typealias Side = (direction: String, ports: [(port: RouterReport.Port, names: [String])])

  /// A program, with its ports that are no device of the router.
  private struct Program {
    var name: String
    /// The ports that sound comes from.
    var sources: [String] = []
    /// The ports that sound goes into.
    var sinks: [String] = []
  }

  static func perform(_ options: Options, _ context: Context) throws(CommandFailure) {
    var link = try RouterLink(options.client)
    let known = try RouterReport.jackPorts(&link)
    var sides: [Side] = []
    for direction in ["output", "input"] {
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
    print(sides, programs, context.console)
  }

  private static func programs(_ ports: [RouterReport.JackPort]) -> [Program] {
    var programs: [Program] = []
    for port in ports where port.owner == nil {
      let index = programs.firstIndex { $0.name == port.client } ?? programs.count
      if index == programs.count { programs.append(Program(name: port.client)) }
      if port.direction == "input" {
        programs[index].sources.append(port.name)
      } else {
        programs[index].sinks.append(port.name)
      }
    }
    return programs
  }

  private static func print(_ sides: [Side], _ programs: [Program], _ console: Console) {
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
    guard !programs.isEmpty else { return }
    var list = TextTable([("PROGRAM", .left), ("SOUND", .left), ("JACK'S NAMES", .left)])
    for program in programs {
      for (title, names) in [("out", program.sources), ("in", program.sinks)] where !names.isEmpty {
        list.append([.init(program.name, .bold), .init(title), .init(names.joined(separator: ", "))])
      }
    }
    console.print("")
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
              .object([
                .init("name", .string($0.name)), .init("outputs", texts($0.sources)),
                .init("inputs", texts($0.sinks)),
              ])
            }))
      ])
  }
}
