import SessionModel

extension Table {
  /// Orders to whatever plays.
  @_optimize(none)
  static var remote: [Parameter] {
    RemoteVerb.allCases.map { verb in
      let (name, kind, summary): (String, Kind, String) =
        switch verb {
        case .play: ("play", .trigger, "Plays")
        case .pause: ("pause", .trigger, "Pauses")
        case .toggle: ("toggle", .trigger, "Pauses or plays")
        case .stop: ("stop", .trigger, "Stops")
        case .next: ("next", .trigger, "Goes to the next item")
        case .previous: ("previous", .trigger, "Goes to the previous item")
        case .seekForward:
          ("seek/forward", .command("switch held"), "Held for fast forward")
        case .seekBack: ("seek/back", .command("switch held"), "Held for fast back")
        }
      return Parameter(
        "/remote/\(name)", kind, .surface(.remote(verb)),
        "\(summary): the now-playing player, else the desktop's.")
    }
  }

  @_optimize(none)
  static var musicLibrary: [Parameter] {
    [
      Parameter(
        "/library/find", .command("s query [i from [i count]]"), right: .view, .surface(.findInLibrary),
        "Lists songs found by words or a query such as album:Blue: index, total, media id, title, artist, album."
      )
    ]
      + LibraryGroup.allCases.map { group in
        Parameter(
          "/library/\(group)", .command("[i from [i count]]"), right: .view, .surface(.listLibrary(group)),
          "Lists the \(group).")
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
}
