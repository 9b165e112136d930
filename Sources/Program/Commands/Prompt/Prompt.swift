import LineEditing
import SystemCalls

/// The prompt of `multiroute console` on a terminal.
final class Prompt {
  private let console: Console
  private var history: PromptHistory?
  private var watch: RouterWatch
  private let signals = ProcessSignals([.interrupt, .terminate])

  private static let text = "multiroute> "

  init(_ options: ClientOptions, stateFolder: String, _ console: Console) {
    (self.console, watch) = (console, RouterWatch(options))
    do throws(SystemError) { history = try PromptHistory(in: stateFolder) } catch { tellLoss(error) }
  }

  /// Reads and performs lines until the user ends them.
  /// - Throws: `DynamicLibrary.Missing` if lines cannot be edited here; nothing is read then.
  func run(_ command: inout ConsoleCommand, _ completer: Completer) throws(DynamicLibrary.Missing) {
    let editor = try LineEditor(
      prompt: Self.text, history: history?.lines ?? [], limit: PromptHistory.limit,
      news: { [unowned self] in news() }, complete: completer.completion)
    console.print("help explains, Tab completes, Ctrl-D ends.")
    while true {
      switch editor.next() {
      case .ended: return
      case .dropped: continue
      case .text(let line):
        // The blank behind a completed address is not typed.
        let line = line.trimmedEnd
        if keep(line) { editor.remember(line) }
        let outcome = command.perform(line)
        if outcome == .quit { return }
        watch.note(isThere: outcome != .failed(.unavailable))
      }
    }
  }

  private func news() -> LineEditor.News? {
    switch signals.next(within: .zero) {
    case .interrupt: .dropLine
    case .terminate: .end
    default: watch.news().map(LineEditor.News.message)
    }
  }

  /// Whether the line belongs into the history.
  private func keep(_ line: String) -> Bool {
    do throws(SystemError) { return try history?.add(line) ?? false } catch {
      tellLoss(error)
      return true
    }
  }

  private func tellLoss(_ error: SystemError) {
    console.tell("multiroute: the lines of this console are not kept: \(error.reason).")
    history = nil
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    String(self[..<(lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex)])
  }
}
