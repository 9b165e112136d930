import SessionModel

extension Table {
  /// Files that sessions of the category audioProcessing process.
  static let processing: [Parameter] = [
    Parameter(
      "/session/<s>/process", .command("s file in s file out"), .surface(.processFile),
      "Has an active session of the category audioProcessing process a sound file of the media folders, faster than real time, through its streams, gains, mutes, ducks and route as they are now, into a new file. /event/process tells when it starts and ends."
    ),
    Parameter(
      "/session/<s>/process/cancel", .trigger, .surface(.cancelProcess),
      "Ends the job of the session; no file is made."),
    Parameter(
      "/session/<s>/processing", .number(0...1),
      session.readOnly { $0.process?.progress ?? 0 },
      "How much of the file is done; 1 after a job that made its file, 0 before the first job and after one that failed or was cancelled."
    ),
  ]
}
