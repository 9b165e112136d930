/// A key of `config.json`, as data for its reader, its errors and the reference.
enum ConfigurationKey: String, CaseIterable {
  case schema = "$schema"
  case version = "multiroute"
  case server, name, osc, hosts, passcodes, presets, media, state, bridges, restore, scenes
  // What later versions take, so that a configuration for one of them is not called misspelled.
  case http, surfaces, liveness

  /// Whether this version does not do it yet.
  var isLater: Bool { [.http, .surfaces, .liveness].contains(self) }

  /// What belongs there, as it would be written.
  var example: String {
    switch self {
    case .schema: #""schema/config.json""#
    case .version: "1"
    case .server: #""default""#
    case .name: #""multiroute""#
    case .osc: #"["127.0.0.1:9440", "wlan0:9440"]"#
    case .hosts: #"{ "192.168.1.0/24": "control" }"#
    case .passcodes: #"{ "open sesame": "admin" }"#
    case .presets: #""~/shows""#
    case .media: #""~/Music""#
    case .state: #""/var/lib/multiroute""#
    case .bridges: #"["/opt/zita/bin"]"#
    case .restore: #""afterCrash""#
    case .scenes: #"["walk-in", "act-1"]"#
    case .http: #""off""#
    case .surfaces, .liveness: ""
    }
  }

  /// One sentence for the reference.
  var summary: String {
    switch self {
    case .schema: "For editors; it changes nothing."
    case .version: "The version of this format; it must be there."
    case .server: "Which JACK server, as --server."
    case .name: "What the router is called there, as --name."
    case .osc: "Where OSC is received, one address or several, as --osc."
    case .hosts:
      "What other machines may do, by address or network: view, control or admin. This machine is admin, and who is not listed may do nothing; of several entries the narrowest counts."
    case .passcodes: "Passcodes for /hello, and the right that each gives to a host that has some right."
    case .presets:
      "Your folder of presets, as --presets; what is relative counts from the configuration's own folder."
    case .media: "Your folder of sound files, as --media."
    case .state: "Where state is kept for after a crash, as --state."
    case .bridges:
      "Folders that are searched before PATH for the programs that bridge to other devices, as --bridge-path."
    case .restore: "After a crash, start from the kept state: afterCrash or never."
    case .scenes: "Presets in the order of the show."
    case .http: "Where the web surface is served; comes in a later version, until then off."
    case .surfaces, .liveness: "Comes in a later version."
    }
  }
}
