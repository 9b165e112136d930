import SessionModel

extension Table {
  @_optimize(none)
  static var recorders: [Parameter] {
    recorderList + recorderTransport + recorderSettings + recorderFacts
  }

  @_optimize(none)
  private static var recorderList: [Parameter] {
    [
      Parameter(
        "/recorder/create", .command("s id s source [s file]"), .surface(.createRecorder),
        "Makes a recorder of a source: session:<s>, stream:<s>.<t>, output:<o> or input:<i>; with a template for its files' names."
      ),
      Parameter(
        "/recorder/remove", .command("s id"), .surface(.removeRecorder),
        "Finishes a recorder's file and removes the recorder."),
      Parameter(
        "/recorder/list", .command(""), right: .view, .surface(.listRecorders),
        "Lists recorders: index, total, id, source, state, file."),
      Parameter(
        "/recorder/<r>/files", .command("[i from [i count]]"), right: .view, .surface(.listRecordings),
        "Lists recordings, the newest first: index, total, file, bytes, time in ISO 8601."
      ),
      Parameter(
        "/recorder/<r>/delete", .command("s file"), .surface(.deleteRecording),
        "Deletes a recording that is not being written."),
    ]
  }

  @_optimize(none)
  private static var recorderTransport: [Parameter] {
    [
      order(
        "record", .record(),
        "Begins a file, or goes on after `pause`; waits for an absent device. Those of one bundle begin on one frame."
      ),
      order("pause", .pause, "Pauses; the file stays open."),
      order("stop", .stop, "Stops and finishes the file."),
      order(
        "prepare", .prepare,
        "Makes everything ready, so that `record` begins at once."),
      Parameter(
        "/recorder/<r>/recording", .toggle, scope: .player,
        recorder.transport({ $1.isRunning }) { target, isOn throws(SessionError) in
          try order(target, isOn ? .record() : .stop)
        }, "Whether it records; off stops and finishes the file."),
      Parameter(
        "/recorder/<r>/schedule", .number(0...MediaPlayer.longestDelay), unit: "s", scope: .player,
        recorder.transport(isMoving: { $1.startTime != nil }) { moment, recorder in
          recorder.startTime.map { max(0, $0 - moment.time) } ?? 0
        } write: { target, seconds throws(SessionError) in
          try order(target, .record(after: seconds))
        }, "Records so many seconds from now; reads how many are left. `pause` and `stop` cancel it."),
    ]
  }

  @_optimize(none)
  private static var recorderSettings: [Parameter] {
    [
      Parameter(
        "/recorder/<r>/source", .text, recorder.readOnly(\.source.text), "What it records."),
      Parameter(
        "/recorder/<r>/file", .text, scope: .player, key: "file",
        recorder.value(\.template) { .template($0) },
        "Template of its files' names, without an ending, with {recorder}, {date}, {time}, {n} (a number), {scene} (the preset), {session} (the source)."
      ),
      Parameter(
        "/recorder/<r>/format", .choice(of: RecordingFormat.self), scope: .player, key: "format",
        recorder.value(\.format) { .format($0) },
        "Format of the files; wav becomes RF64 by itself past 4 GiB."),
      Parameter(
        "/recorder/<r>/quality", .choice(of: RecordingQuality.self), scope: .player, key: "quality",
        recorder.value(\.quality) { .quality($0) },
        "How hard flac is packed, and the bit rate of Opus; nothing for wav."),
      Parameter(
        "/recorder/<r>/rate", .integer(0...MediaRecorder.highestRate), unit: "Hz", scope: .player,
        key: "rate",
        recorder.value(\.rate) { .rate($0) }, "Sample rate of the files, from 4000; 0 is the server's."),
      Parameter(
        "/recorder/<r>/channels", .integer(0...SessionStream.maximumChannels), scope: .player,
        key: "channels",
        recorder.value(\.channels) { .channels($0) }, "Channels of the files; 0 is as many as the source has."
      ),
      Parameter(
        "/recorder/<r>/bits", .integer(16...32), scope: .player, key: "bits",
        recorder.value(\.bits) { .bits($0) },
        "Bits of a sample: 16, 24, or for wav 32 (float); nothing for Opus."),
      Parameter(
        "/recorder/<r>/limit", .number(0...MediaRecorder.longestLimit), unit: "s", scope: .player,
        key: "limit",
        recorder.value(\.limit) { .limit($0) }, "Length at which a file ends by itself; 0 is no limit."),
      Parameter(
        "/recorder/<r>/before", .number(0...MediaRecorder.longestBefore), unit: "s", scope: .player,
        key: "before",
        recorder.value(\.before) { .before($0) },
        "Seconds from before `record` that a file begins with."),
    ]
  }

  @_optimize(none)
  private static var recorderFacts: [Parameter] {
    [
      Parameter(
        "/recorder/<r>/state", .choice(of: RecorderState.self), recorder.readOnly(\.state),
        "What it does. `waiting`: it begins by itself when its device is there."),
      Parameter(
        "/recorder/<r>/file/now", .text, recorder.readOnly(\.facts.file),
        "Name of the present or last file below the folder of recordings."),
      Parameter(
        "/recorder/<r>/file/open", .toggle, recorder.readOnly(\.facts.isOpen),
        "Whether that file is being written; a stopped recorder finishes its file a moment later."),
      Parameter(
        "/recorder/<r>/time", .number(0...MediaRecorder.longestLimit), unit: "s",
        recorder.observed(isMoving: { $1.facts.speed != 0 }) { $1.time(at: $0.time) },
        "Seconds in the present file."),
    ] + power("/recorder/<r>") + [
      Parameter(
        "/recorder/<r>/buffer", .number(0...60), unit: "s", recorder.readOnly(\.facts.buffered),
        "Seconds that wait for the disk."),
      Parameter(
        "/recorder/<r>/lost", .number(0...MediaRecorder.longestLimit), unit: "s",
        recorder.readOnly(\.facts.lost),
        "Seconds of silence in the file, because the disk was too slow."),
    ]
  }

  // MARK: Forms

  private static func order(_ target: Target, _ order: RecorderOrder) throws(SessionError) -> Event {
    .recorder(try target.id(of: \.recorder), .order(order))
  }

  /// An address that gives an order.
  private static func order(_ name: String, _ order: RecorderOrder, _ summary: String) -> Parameter {
    Parameter(
      "/recorder/<r>/\(name)", .trigger,
      .action { request throws(SessionError) in try Self.order(request.target, order) }, summary)
  }
}
