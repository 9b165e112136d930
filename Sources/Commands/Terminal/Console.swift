import Glibc

/// Where a command writes: data to standard output, everything meant for a person to standard error.
///
/// Any thread may write; each call is one write to the system, so lines of several threads do not mix.
public struct Console: Sendable {
  /// One of the two streams.
  public enum Stream: Sendable { case output, error }

  /// What a stream leads to.
  public struct Screen: Sendable {
    /// Whether colour may be used.
    public var isColoured: Bool
    /// Whether it is a terminal, and so can be drawn again.
    public var isTerminal: Bool
    /// Columns.
    public var width: Int

    public init(isColoured: Bool = false, isTerminal: Bool = false, width: Int = 80) {
      (self.isColoured, self.isTerminal, self.width) = (isColoured, isTerminal, width)
    }
  }

  public let output: Screen
  public let error: Screen
  private let sink: @Sendable (Stream, String) -> Void

  /// Writes through a function of the caller's.
  public init(
    output: Screen = Screen(), error: Screen = Screen(), sink: @escaping @Sendable (Stream, String) -> Void
  ) {
    (self.output, self.error, self.sink) = (output, error, sink)
  }

  /// The streams of this process.
  ///
  /// Colour is for terminals, and never with a `NO_COLOR` that is not empty (https://no-color.org) or `TERM=dumb`.
  public static func process(_ environment: Environment) -> Console {
    let mayColour = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    func screen(_ descriptor: Int32) -> Screen {
      let isTerminal = isatty(descriptor) == 1
      var size = winsize()
      let hasSize = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col >= 60
      return Screen(
        isColoured: isTerminal && mayColour, isTerminal: isTerminal,
        width: hasSize ? Int(size.ws_col) : 80)
    }
    return Console(output: screen(STDOUT_FILENO), error: screen(STDERR_FILENO)) { stream, text in
      Files.write(text, to: stream == .output ? STDOUT_FILENO : STDERR_FILENO)
    }
  }

  /// Writes a line of data.
  public func print(_ line: String) { sink(.output, line + "\n") }

  /// Writes text as it is to standard output.
  public func write(_ text: String) { sink(.output, text) }

  /// Writes a line for a person.
  public func tell(_ line: String) { sink(.error, line + "\n") }

  /// Writes text as it is for a person, such as a progress bar.
  public func draw(_ text: String) { sink(.error, text) }

  /// Text in a style, where the stream shows styles.
  public func styled(_ text: String, _ style: Style, on stream: Stream = .output) -> String {
    (stream == .output ? output : error).isColoured && !text.isEmpty
      ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// How text can look; the raw value is that of the terminal (ECMA-48, SGR).
  public enum Style: Int, Sendable {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
  }
}
