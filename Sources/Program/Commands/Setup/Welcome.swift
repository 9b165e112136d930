import OSC

/// What `multiroute` alone offers at a terminal where no router runs.
enum Welcome {
  /// Asks what to do.
  ///
  /// - Parameter hasServer: whether an audio server lets a program join.
  /// - Returns: the command line to perform; nil if the person chose none of them.
  static func ask(hasServer: () -> Bool, _ context: Context) throws(CommandFailure) -> [String]? {
    let console = context.console
    for line in [
      "multiroute routes many sounds to many devices at once. No router runs here. What next?", "",
      "  1  try the demonstration: 20 seconds, no setup, no hardware",
      "  2  make a preset of what is connected now",
      "  3  start the router with a page for the browser", "",
      "Anything else lists the commands. multiroute setup prepares this machine.",
    ] { console.tell(line) }
    var interview = Interview(console)
    switch try interview.ask("1, 2 or 3", usual: "") {
    case "1": return ["demo", "--seconds", "20"]
    case "2": return ["presets", "new", try interview.ask("The id of the preset", usual: "my-show")]
    case "3":
      console.tell("Open the address of HTTP that follows. Ctrl-C ends the router.")
      let isServed = try Configuration.find(.usual, context).http != nil
      let start = ["run"] + (isServed ? [] : ["--http", page])
      if hasServer() { return start }
      console.tell("No JACK server runs, so the router starts one without hardware.")
      return start + ["--start-server"]
    default: return nil
    }
  }

  private static let page = "127.0.0.1:9480"
}
