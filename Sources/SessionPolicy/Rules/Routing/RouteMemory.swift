import SessionModel

/// Works out routes, and remembers them while the ports stay as they are: of a thousand sessions most ask the same question.
struct RouteMemory {
  private let plugs: Plugs
  /// Whether no output is used only because somebody sends a stream there.
  private let areAllAutomatic: Bool
  private var answers: [(question: Question, route: Route)] = []

  /// All that a route depends on but the ports, for sessions that guard no output.
  private struct Question: Equatable {
    let category: Category
    let mode: Mode
    let options: SessionOptions
    let portOverride: PortOverride
    let preferredInput: PortID?
    let preferredOutput: PortID?
    let awaited: PortID?
  }

  /// More kinds of sessions than these are looked at one by one: a longer list would cost more than it saves.
  private static let limit = 8

  init(_ plugs: Plugs) {
    self.plugs = plugs
    areAllAutomatic = plugs.outputs.allSatisfy(\.isAutomatic)
  }

  mutating func route(of session: Session, awaiting: PortID?) -> Route {
    guard !isSpecial(session) else { return Routing.route(of: session, awaiting: awaiting, among: plugs) }
    let question = Question(
      category: session.category, mode: session.mode, options: session.options,
      portOverride: session.portOverride, preferredInput: session.preferredInput,
      preferredOutput: session.preferredOutput, awaited: awaiting)
    if let answer = answers.first(where: { $0.question == question }) { return answer.route }
    let route = Routing.route(of: session, awaiting: awaiting, among: plugs)
    if answers.count < Self.limit { answers.append((question, route)) }
    return route
  }

  /// Whether its streams have a say: guards where there is one output, destinations where there are many.
  private func isSpecial(_ session: Session) -> Bool {
    guard session.category != .multiRoute else { return !areAllAutomatic }
    return session.streams.contains { (stream: SessionStream) in !stream.never.isEmpty }
  }
}
