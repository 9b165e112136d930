import Parameters
import Presets
import SystemCalls
import Version

/// The manual for man(1), made from the tables of commands, addresses and keys; `make install` has the program write it.
enum ManPages {
  /// Writes all pages into the folders `man1`, `man5` and `man7` of a folder.
  /// - Throws: `CommandFailure` unreadableFile if one cannot be written.
  static func write(into folder: String, _ context: Context) throws(CommandFailure) {
    for page in all(date: date(context)) {
      let place = "\(folder)/man\(page.section)"
      do throws(SystemError) {
        try System.makeFolders(place)
        try WholeFile.replace("\(place)/\(page.file)", with: Array(page.text.utf8), permissions: 0o644)
      } catch {
        throw CommandFailure(
          .unreadableFile, "multiroute: \(place)/\(page.file) cannot be written: \(error.reason).")
      }
    }
  }

  static func all(date: String) -> [ManPage] {
    [program(date)] + CommandTable.commands.map { command($0, date) } + [
      preset(date), configuration(date), addresses(date),
    ]
  }

  /// Today, or the day of a build that is made again (https://reproducible-builds.org/specs/source-date-epoch).
  private static func date(_ context: Context) -> String {
    let seconds = context.environment["SOURCE_DATE_EPOCH"].flatMap { Int($0) } ?? System.time()
    return String(System.gmtime(seconds).prefix(10))
  }

  private static func page(_ name: String, _ section: Int, _ purpose: String, _ date: String) -> ManPage {
    ManPage(name, section, purpose, date: date, version: Version.current)
  }

  private static func name(of command: CommandDescription) -> String { "multiroute-\(command.name.rawValue)" }

  private static func program(_ date: String) -> ManPage {
    var page = page(
      "multiroute", 1, "routes many sounds to many devices at once over JACK, controlled by OSC", date)
    page.title("SYNOPSIS")
    page.lines(["multiroute COMMAND [ARGUMENT...]", "multiroute --version", "multiroute --help"])
    page.title("DESCRIPTION")
    page.paragraph(
      "Each source is a session with a category, a mode and options. The router decides which session is heard on which device. Every change is a ramp."
    )
    page.paragraph("On a terminal without a command it offers a beginning. multiroute demo needs no setup.")
    page.title("COMMANDS")
    for group in CommandDescription.Group.allCases {
      page.subtitle(group.rawValue)
      for command in CommandTable.commands where command.group == group {
        page.entry("\(name(of: command))(1)", HelpPage.sentence(command))
      }
    }
    page.title("ENVIRONMENT")
    page.entry("MULTIROUTE_SHARE", "The folder of the shipped files.")
    page.entry("NO_COLOR", "Not empty: no colour.")
    page.title("FILES")
    page.entry(
      "$XDG_CONFIG_HOME/multiroute", "config.json, and the folder presets; else ~/.config/multiroute.")
    page.entry("$XDG_DATA_HOME/multiroute/media", "Sound files; else ~/.local/share/multiroute/media.")
    page.entry("$XDG_STATE_HOME/multiroute", "The state against a crash; else ~/.local/state/multiroute.")
    page.title("EXIT STATUS")
    for code in ExitCode.allCases { page.entry("\(code.rawValue)", sentence(code.meaning)) }
    see(["multiroute-preset(5)", "multiroute-config(5)", "multiroute-osc(7)", "jackd(1)"], &page)
    return page
  }

  private static func command(_ command: CommandDescription, _ date: String) -> ManPage {
    var page = page(name(of: command), 1, command.summary, date)
    page.title("SYNOPSIS")
    page.lines([command.usage.joined(separator: " ")])
    page.title("DESCRIPTION")
    page.paragraph(HelpPage.sentence(command))
    for detail in command.details { page.paragraph(detail) }
    if !command.positionals.isEmpty {
      page.title("ARGUMENTS")
      for argument in command.positionals { page.entry(argument.name, argument.summary) }
    }
    page.title("OPTIONS")
    for flag in command.flags { page.entry(flag.usage, flag.explanation) }
    page.entry(Flag.help.name, Flag.help.summary)
    if !command.examples.isEmpty {
      page.title("EXAMPLES")
      for example in command.examples { page.entry(example.line, sentence(example.meaning)) }
    }
    page.title("EXIT STATUS")
    for code in HelpPage.exitCodes(of: command) { page.entry("\(code.rawValue)", sentence(code.meaning)) }
    see(["multiroute(1)"], &page)
    return page
  }

  private static func preset(_ date: String) -> ManPage {
    var page = page("multiroute-preset", 5, "a show as a file: sessions, streams, routes and ports", date)
    page.title("DESCRIPTION")
    page.paragraph(
      "JSON5: comments and trailing commas are welcome. multiroute check names every mistake with its line. A level is in dB up to 10, or \"off\"."
    )
    for kind in PresetReference.sections {
      page.title(plain(kind.title).uppercased())
      page.paragraph(plain(kind.summary))
      for key in kind.keys { page.entry(key.name, plain("\(key.meaning) (\(key.values))")) }
    }
    see(["multiroute(1)", "multiroute-check(1)", "multiroute-osc(7)"], &page)
    return page
  }

  private static func configuration(_ date: String) -> ManPage {
    var page = page("multiroute-config", 5, "the configuration of the router", date)
    page.title("DESCRIPTION")
    page.paragraph(
      "The first of ~/.config/multiroute/config.json, /etc/multiroute/config.json and the shipped file. JSON5: comments and trailing commas are welcome. A start reports every problem. A flag overrides the file. A relative path starts at the file's folder."
    )
    page.title("KEYS")
    for key in ConfigurationKey.allCases where !key.isLater {
      let example = key.example.isEmpty ? "" : " Example: \(key.example)"
      page.entry(key.rawValue, plain(key.summary) + example)
    }
    see(["multiroute(1)", "multiroute-setup(1)"], &page)
    return page
  }

  private static func addresses(_ date: String) -> ManPage {
    var page = page("multiroute-osc", 7, "the OSC addresses of the router", date)
    page.title("DESCRIPTION")
    page.paragraph(
      "An address without an argument answers its value. <s> stands for a session, <t> for a stream, <o> for an output, <i> for an input."
    )
    for section in Table.sections {
      page.title(section.title.uppercased())
      for parameter in section.parameters {
        let unit = parameter.unit.isEmpty ? "" : " In \(parameter.unit)."
        page.entry(parameter.address, plain(parameter.summary) + unit)
      }
    }
    see(["multiroute-send(1)", "multiroute-watch(1)", "multiroute-preset(5)"], &page)
    return page
  }

  private static func see(_ pages: [String], _ page: inout ManPage) {
    page.title("SEE ALSO")
    page.paragraph(pages.joined(separator: ", "))
  }

  private static func sentence(_ clause: String) -> String {
    clause.prefix(1).uppercased() + clause.dropFirst() + (clause.hasSuffix(".") ? "" : ".")
  }

  /// Markdown without its marks.
  private static func plain(_ text: String) -> String { text.replacing("`", with: "") }
}
