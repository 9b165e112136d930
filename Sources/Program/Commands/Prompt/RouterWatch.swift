import OSC

/// Notices that the router goes away or comes back, without waiting: it asks every second.
struct RouterWatch {
  private let options: ClientOptions
  private var link: RouterLink?
  /// When the question was sent that waits for its answer.
  private var asked: ContinuousClock.Instant?
  private var next = ContinuousClock.now + pause
  private var isThere = true

  private static let pause = Duration.seconds(1)

  init(_ options: ClientOptions) { self.options = options }

  /// Notes that a command has been answered, or that no router was there for it.
  mutating func note(isThere: Bool) {
    (self.isThere, link, asked) = (isThere, nil, nil)
    next = .now + Self.pause
  }

  /// Returns the news since the last look.
  mutating func news() -> String? {
    do throws(CommandFailure) {
      if let asked, let link {
        if try link.receive(within: .zero) != nil {
          self.asked = nil
          defer { isThere = true }
          return isThere ? nil : "multiroute: the router at \(options.router) answers again."
        }
        if .now - asked > options.timeout { throw link.silence }
      } else if .now > next {
        next = .now + Self.pause
        // To connect to another machine that is away would keep the user waiting.
        if case .tcp = options.router, !isThere, !options.router.isLocal { return nil }
        if link == nil { link = try RouterLink(options) }
        try link?.send(OSCMessage("/ping"))
        asked = .now
      }
      return nil
    } catch {
      defer { note(isThere: false) }
      return isThere ? error.lines.joined(separator: "\n") : nil
    }
  }
}
