/// A key of `config.json`, as data for its reader, its errors and the reference.
enum ConfigurationKey: String, CaseIterable {
  case schema = "$schema"
  case version = "multiroute"
  case server, name, osc, http, metrics, hosts, passcodes, surfaces, presets, media, scenes, state, bridges,
    restore, mpris, mdns
  // This version refuses this key, but not as a misspelled word.
  case liveness

  /// Whether only a later version takes the key.
  var isLater: Bool { self == .liveness }

  /// An example of the value, as written in the file.
  var example: String {
    switch self {
    case .schema: #""schema/config.json""#
    case .version: "1"
    case .server: #""default""#
    case .name: #""multiroute""#
    case .osc: #"["127.0.0.1:9440", "wlan0:9440"]"#
    case .http: #""wlan0:9480""#
    case .metrics: #""127.0.0.1:9470""#
    case .hosts: #"{ "192.168.1.0/24": "control" }"#
    case .passcodes: #"{ "open sesame": "admin" }"#
    case .presets: #""~/shows""#
    case .media: #""~/Music""#
    case .state: #""/var/lib/multiroute""#
    case .bridges: #"["/opt/zita/bin"]"#
    case .restore: #""afterCrash""#
    case .mpris, .mdns: #""off""#
    case .scenes: #"["walk-in", "act-1"]"#
    case .surfaces:
      #"[{ "name": "wall", "host": "192.168.1.20", "port": 9000, "subscriptions": ["/strip"] }]"#
    case .liveness: ""
    }
  }

  /// One sentence for the reference.
  var summary: String {
    switch self {
    case .schema: "For editors; it changes nothing."
    case .version: "The version of this format; required."
    case .server: "The JACK server's name, as --server."
    case .name: "The router's client name at the JACK server, as --name."
    case .osc: "As --osc, one or several."
    case .http: "As --http. Other machines need an entry in `hosts`."
    case .metrics:
      "As --metrics. Other machines need an entry in `hosts`; view is enough."
    case .hosts:
      "The permissions of other machines, by address or network: mix (tokens alone), view, control or admin. Others may do nothing; this machine is admin. The narrowest network counts."
    case .passcodes:
      "Passcodes for /hello, and the permission that each gives to a listed host."
    case .presets: "Your folder of presets, as --presets."
    case .media: "Your folder of sound files, as --media."
    case .state: "The folder of the router's state, as --state."
    case .bridges:
      "Folders that are searched for bridge programs, as --bridge-path."
    case .restore: "Whether a start after a crash restores the kept state: afterCrash or never."
    case .mpris: "Whether the router is a media player of the desktop (MPRIS): on or off."
    case .mdns: "Whether a router that is open to the network is announced there: on or off."
    case .scenes:
      "The ids of presets in the order of the show. Without this key that of the ids, without shipped presets."
    case .surfaces:
      "Surfaces that get feedback without asking: name, host, port, and perhaps subscriptions, rate, echo, boolean, strips, bank (docs/guide/surfaces.md)."
    case .liveness: "Comes in a later version."
    }
  }
}
