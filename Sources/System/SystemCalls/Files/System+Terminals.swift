import Glibc

extension System {
  /// Whether a descriptor leads to a terminal.
  public static func isatty(_ descriptor: Int32) -> Bool { Glibc.isatty(descriptor) == 1 }

  /// The size of a terminal in characters; nil if the descriptor is not a terminal's or the size is unknown.
  public static func terminalSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
