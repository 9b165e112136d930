/// One channel of one source.
enum Sound: String, CaseIterable {
  case bandLeft = "band_1"
  case bandRight = "band_2"
  case click
  case foyer
  case evening
  case voice

  /// The name that is printed.
  var name: String {
    switch self {
    case .bandLeft: "band (left)"
    case .bandRight: "band (right)"
    case .click: "click"
    case .foyer: "foyer's first piece"
    case .evening: "foyer's second piece"
    case .voice: "announcement"
    }
  }

  /// The file that a player of the router repeats without a gap, and its channel; nil for the sound of a program.
  var file: (name: String, channel: Int)? {
    switch self {
    case .bandLeft: ("music.ogg", 0)
    case .bandRight: ("music.ogg", 1)
    case .click: ("click.flac", 0)
    case .foyer: ("foyer.ogg", 0)
    case .evening: ("evening.ogg", 0)
    case .voice: nil
    }
  }

  /// The sound whose file began on the same frame. Band and click start by one message.
  var leader: Sound { self == .bandRight || self == .click ? .bandLeft : self }
}
