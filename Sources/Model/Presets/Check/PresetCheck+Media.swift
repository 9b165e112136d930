import JSON5
import SessionModel

extension PresetCheck {
  /// Finds players and recorders that lack a required part, and names of files that lead out of the media folders.
  mutating func checkMedia() {
    for (_, player) in document.players {
      if player.session == nil, !player.isDamaged {
        reportMissing(
          "session", in: player.place, example: "\"\(document.sessions.keys.first?.name ?? "music")\"")
      }
      if player.isPlaying?.value == true, let id = player.session?.value,
        let active = document.sessions[id]?.isActive, !active.value
      {
        report(
          active.place,
          "\(id.name.quoted) is not active, and one of its players plays, which makes it active",
          fix: "remove \"active\", or let the player not play")
      }
      for word in player.contents?.value ?? [] where word.leadsOutside {
        report(
          player.contents?.place ?? player.place, "\(word.quoted) is no name below a media folder",
          fix: "write the name as it is below the folder of `run --media`, such as \"walk-in/first.flac\"")
      }
    }
    for (_, recorder) in document.recorders where recorder.source == nil && !recorder.isDamaged {
      reportMissing("source", in: recorder.place, example: "\"output:usb\"")
    }
  }
}

extension String {
  /// Whether the name of a file leads out of the folder that it is looked for in.
  fileprivate var leadsOutside: Bool { hasPrefix("/") || split(separator: "/").contains("..") }
}
