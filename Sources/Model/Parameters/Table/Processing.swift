import SessionModel

extension Table {
  /// Files that sessions of the category audioProcessing process.
  @_optimize(none)
  static var processing: [Parameter] {
    [
      Parameter(
        "/session/<s>/process", .command("s file in s file out"), .surface(.processFile),
        "Has an active audioProcessing session process a file of the media folders into a new one. /event/process tells start and end."
      ),
      Parameter(
        "/session/<s>/process/cancel", .trigger, .surface(.cancelProcess),
        "Ends the job of the session; no file is made."),
      Parameter(
        "/session/<s>/processing", .number(0...1),
        session.readOnly { $0.process?.progress ?? 0 },
        "How much of the file is done; 1 after success, 0 otherwise."
      ),
    ]
  }
}
