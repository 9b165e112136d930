/// `multiroute ports`: what is there, which type each was taken for, and why.
enum PortsCommand {
  static func perform(_ options: ClientOptions, _ context: Context) throws(CommandFailure) {
    var link = try RouterLink(options)
    var table = TextTable([
      ("PORT", .left), ("DIRECTION", .left), ("TYPE", .left), ("CH", .right), ("STATE", .left),
      ("NAME", .left),
      ("WHY THIS TYPE", .left),
    ])
    for direction in ["output", "input"] {
      for port in try RouterReport.ports(direction, &link) {
        table.append([
          .init(port.id, .bold), .init(direction), .init(port.type), .init("\(port.channels)"),
          port.isAvailable ? .init("there", .green) : .init("away", .red), .init(port.name),
          .init(port.values["reason"]?.first?.plain ?? ""),
        ])
      }
    }
    guard !table.isEmpty else {
      return context.console.tell("The router has no port: JACK has none, and no preset names one.")
    }
    for line in table.lines(context.console) { context.console.print(line) }
  }
}
