import Parameters
import Queues
import SessionModel

extension PresetObject {
  static let player = PresetObject(
    "player", at: "players.<id>",
    "A player of sound files, which feeds a stream beside the stream's programs.",
    fields: [
      Field("session", .slug, "The session that the player belongs to."),
      Field("stream", .slug, "The stream that the player feeds; the session's first one without this key."),
      Field(
        "file", .text, "The file, folder or playlist of a media folder, a media id, or a query."),
      Field(
        "queue", .list(of: .text),
        "Several of them, instead of `file`. A recall of the same queue lets it play on."
      ),
      Field(
        "playing", .toggle,
        "Whether the player plays or is stopped after a recall; by default it goes on as it is."
      ),
      Field(
        "index", .integer(0...PlayQueue.most - 1),
        "The item of the queue that it starts with, from 0; like `position`."),
      Field(
        "position", .number(0...MediaPlayer.longestItem, unit: "s"),
        "Where a player starts in its item, unless it plays the same queue already."
      ),
    ], owners: [.player], required: ["session"], isExtensible: true)

  static let recorder = PresetObject(
    "recorder", at: "recorders.<id>", "A recorder of a session, a stream, an output or an input.",
    fields: [
      Field(
        "source", .form(.recorderSource),
        "What is recorded: `session:<id>`, `stream:<session>.<stream>`, `output:<id>` or `input:<id>`."),
      Field(
        "recording", .toggle,
        "Whether the recorder records after a recall; by default it goes on as it is."),
    ], owners: [.recorder], required: ["source"], isExtensible: true)
}
