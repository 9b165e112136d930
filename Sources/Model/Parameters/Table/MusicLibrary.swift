import SessionModel

extension Table {
  /// Orders to whatever plays.
  static let remote: [Parameter] = RemoteVerb.allCases.map { verb in
    let (name, kind, summary): (String, Kind, String) =
      switch verb {
      case .play: ("play", .trigger, "Lets the now-playing player play")
      case .pause: ("pause", .trigger, "Pauses the now-playing player")
      case .toggle: ("toggle", .trigger, "Pauses the now-playing player, or lets it play")
      case .stop: ("stop", .trigger, "Stops the now-playing player")
      case .next: ("next", .trigger, "Goes to the next item of the now-playing player")
      case .previous: ("previous", .trigger, "Goes to the item before of the now-playing player")
      case .seekForward:
        ("seek/forward", .command("switch held"), "Held for fast forward of the now-playing player")
      case .seekBack: ("seek/back", .command("switch held"), "Held for fast back of the now-playing player")
      }
    return Parameter(
      "/remote/\(name)", kind, .surface(.remote(verb)),
      "\(summary), else of the desktop's.")
  }

  static let musicLibrary: [Parameter] =
    [
      Parameter(
        "/library/find", .command("s query [i from [i count]]"), right: .view, .surface(.findInLibrary),
        "One message per song found by words or a query such as album:Blue: index, total, media id, title, artist, album."
      )
    ]
    + LibraryGroup.allCases.map { group in
      Parameter(
        "/library/\(group)", .command("[i from [i count]]"), right: .view, .surface(.listLibrary(group)),
        "Answers the \(group), as `/library/find`.")
    } + [
      Parameter(
        "/library/scan", .trigger, .surface(.scanLibrary), "Looks for new, changed and removed files now."),
      Parameter(
        "/library/progress", .number(0...1), .readOnly { state, _ in .number(state.library.progress) },
        "How much of a scan is done; 1 while none runs."),
      Parameter(
        "/library/count", .integer(0...Int(Int32.max)),
        .readOnly { state, _ in .integer(state.library.count) },
        "How many songs the library has."),
    ]
}
