import CLibedit
public import SystemCalls

/// A prompt on the terminal of this process: lines with editing, history and completion, by libedit. Belongs to one thread.
public final class LineEditor {
  /// The end of an edited line.
  public enum Line: Hashable, Sendable {
    case text(String)
    /// The line was dropped.
    case dropped
    /// No line follows.
    case ended
  }

  /// News while a line is edited.
  public enum News: Hashable, Sendable {
    /// A message above the prompt; the edited line stays.
    case message(String)
    case dropLine
    case end
  }

  private let calls: mr_edit
  private let past: OpaquePointer
  private var editor: OpaquePointer?
  private let prompt: UnsafeMutablePointer<CChar>
  private var keys = KeyReader(System.standardInput)
  private let news: () -> News?
  private let complete: (String) -> Completion
  /// How the present line ends without being entered.
  private var end: Line?

  /// Milliseconds between two looks for news.
  private static let patience: Int32 = 50

  /// Takes the terminal's settings, but changes them only while a line is edited.
  ///
  /// - Parameters:
  ///   - history: earlier lines, the oldest first.
  ///   - limit: the most lines that the history holds.
  ///   - news: asked again and again while a line is edited.
  ///   - complete: from the text before the cursor to the completion of its last word.
  /// - Throws: `DynamicLibrary.Missing` if libedit is not installed.
  public init(
    prompt: String, history: [String], limit: Int, news: @escaping () -> News?,
    complete: @escaping (String) -> Completion
  ) throws(DynamicLibrary.Missing) {
    calls = try EditCalls.library.get()
    guard let past = calls.history_init() else { throw DynamicLibrary.Missing("no memory is left") }
    (self.past, self.news, self.complete) = (past, news, complete)
    self.prompt = prompt.withCString { text in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: prompt.utf8.count + 1)
      copy.initialize(from: text, count: prompt.utf8.count + 1)
      return copy
    }
    editor = withUnsafePointer(to: calls) { calls in
      mr_edit_begin(
        calls, past, Int32(limit), Unmanaged.passUnretained(self).toOpaque(),
        { LineEditor.of($0).prompt },
        { LineEditor.of($0).read(into: $1) },
        { editor, _ in LineEditor.of(editor).complete(in: editor) })
    }
    guard editor != nil else { throw DynamicLibrary.Missing("the terminal has no settings that can be read") }
    for line in history { remember(line) }
  }

  deinit {
    if let editor { calls.el_end(editor) }
    calls.history_end(past)
    prompt.deallocate()
  }

  /// Adds a line to the history.
  public func remember(_ line: String) {
    withUnsafePointer(to: calls) { mr_edit_remember($0, past, line) }
  }

  /// Lets the user edit a line. The terminal has its own settings again when this returns.
  public func next() -> Line {
    end = nil
    var count: Int32 = 0
    guard let text = withUnsafePointer(to: calls, { mr_edit_line($0, editor, &count) }), count > 0, end == nil
    else {
      let end = end ?? .ended
      Self.write(end == .dropped ? "^C\n" : "\n")
      return end
    }
    let line = String(decoding: UnsafeRawBufferPointer(start: text, count: Int(count)), as: UTF8.self)
    return .text(line.hasSuffix("\n") ? String(line.dropLast()) : line)
  }

  // MARK: Called by libedit

  private static func of(_ editor: OpaquePointer?) -> LineEditor {
    Unmanaged<LineEditor>.fromOpaque(EditCalls.owner(of: editor)).takeUnretainedValue()
  }

  /// Waits for a character. Returns 1, or 0 if the line ends without being entered.
  private func read(into character: UnsafeMutablePointer<wchar_t>?) -> Int32 {
    while true {
      switch news() {
      case .message(let text): show(text + "\n")
      case .dropLine: return endLine(.dropped)
      case .end: return endLine(.ended)
      case nil: break
      }
      do throws(KeyReader.Ended) {
        guard let key = try keys.next(milliseconds: Self.patience) else { continue }
        character?.initialize(to: wchar_t(key.value))
        return 1
      } catch { return endLine(.ended) }
    }
  }

  private func endLine(_ end: Line) -> Int32 {
    self.end = end
    return 0
  }

  private func complete(in editor: OpaquePointer?) -> UInt8 {
    guard let line = calls.el_line(editor)?.pointee, let start = line.buffer, let cursor = line.cursor else {
      return UInt8(CC_ERROR)
    }
    let before = String(
      decoding: UnsafeRawBufferPointer(start: start, count: cursor - start), as: UTF8.self)
    let completion = complete(before)
    let lines = completion.lines(width: System.terminalSize(System.standardOutput)?.columns ?? 80)
    if !lines.isEmpty { Self.write("\n" + lines.map { $0 + "\n" }.joined()) }
    let isInserted =
      !completion.insertion.isEmpty && calls.el_insertstr(editor, completion.insertion) == 0
    if !lines.isEmpty { return UInt8(CC_REDISPLAY) }
    return UInt8(isInserted ? CC_REFRESH : CC_REFRESH_BEEP)
  }

  /// Writes in place of the prompt, which is drawn anew below.
  private func show(_ text: String) {
    // To the first column, and clears what follows.
    Self.write("\r\u{1B}[J" + text)
    withUnsafePointer(to: calls) { mr_edit_redraw($0, editor) }
  }

  private static func write(_ text: String) {
    try? System.writeAll(System.standardOutput, Array(text.utf8))
  }
}
