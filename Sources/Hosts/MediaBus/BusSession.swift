import SystemCalls

/// One connection to the bus, from the greeting to its loss: our names on it, the players of others, and what answers mean. Belongs to
/// the thread of the bus.
final class BusSession {
  private let connection: BusConnection
  private let identity: String
  private let handler: @Sendable (RemoteRequest) -> Void
  private let events: @Sendable (MediaBusEvent) -> Void
  private var service: PlayerService
  private var announcer: Announcer
  private var players = ForeignPlayers()
  /// The player that an interruption pauses if it answers that it plays; nil while no interruption waits for that answer.
  private var interrupting: String?
  /// What we have told of the other players.
  private var toldForeign: ForeignPlayer?
  /// The calls that are not answered yet, by their numbers.
  private var asked: [UInt64: Question] = [:]
  /// Our name as a media player; nil before the bus has given one.
  private(set) var name: String?

  private enum Question {
    /// The name that we ask for, and how many were taken before.
    case ownName(String, attempt: Int)
    case allNames
    case state(of: String)
    case identity(of: String)
    /// Whether a player plays that an interruption shall pause.
    case status(of: String)
    case command(DesktopVerb, to: String)
  }

  private static let driver = (name: "org.freedesktop.DBus", path: "/org/freedesktop/DBus")

  init(
    _ connection: BusConnection, identity: String, now: NowPlaying?,
    handler: @escaping @Sendable (RemoteRequest) -> Void,
    events: @escaping @Sendable (MediaBusEvent) -> Void
  ) {
    (self.connection, self.identity, self.handler, self.events) = (connection, identity, handler, events)
    service = PlayerService(identity: identity, now: now)
    announcer = Announcer(now)
    // Before the question for all names, so that no player comes in between.
    watch("sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0namespace='org.mpris.MediaPlayer2'")
    watch(
      "interface='\(PlayerInterface.properties.rawValue)',member='PropertiesChanged',path='\(PlayerInterface.path)',"
        + "arg0='\(PlayerInterface.player.rawValue)'")
    requestName(attempt: 0)
    ask(.allNames, "ListNames")
  }

  // MARK: What others want

  /// Takes the newest state of our player, and does what is ordered.
  func perform(_ orders: BusMailbox.Orders) {
    service.now = orders.now
    for command in orders.commands {
      switch command {
      case .control(let verb): if let last = players.last { send(verb, to: last.busName) }
      case .pause: interrupt()
      case .resume:
        interrupting = nil
        for name in players.resume() { send(.play, to: name) }
      }
    }
  }

  /// Tells listeners what is new.
  ///
  /// - Returns: when to call this again; nil if there is nothing to tell before the next order or message.
  func announce(at time: Double) -> Double? {
    // Listeners ask for what was before; and a bus that does not read gets one announcement, not all.
    guard name != nil, connection.waiting == 0 else { return nil }
    let news = announcer.news(of: service.now)
    guard !news.isEmpty else { return nil }
    guard time >= announcer.due else { return announcer.due }
    tell(news, at: time)
    return nil
  }

  private func tell(_ news: Announcer.News, at time: Double) {
    announcer.told(service.now, news, at: time)
    if !news.changed.isEmpty {
      connection.signal(
        PlayerInterface.path, PlayerInterface.properties.rawValue, "PropertiesChanged",
        [.string(PlayerInterface.player.rawValue), .table(news.changed), .strings([])])
    }
    if let place = news.jump {
      connection.signal(
        PlayerInterface.path, PlayerInterface.player.rawValue, "Seeked", [NowPlaying.microseconds(place)])
    }
  }

  /// Tells that the bus is lost, and all players with it.
  func lose() { if toldForeign != nil { events(.foreign(nil)) } }

  // MARK: Questions

  private func ask(
    _ question: Question, _ member: String, _ arguments: [BusValue] = []
  ) {
    let cookie = connection.call(
      Self.driver.name, Self.driver.path, Self.driver.name, member, arguments)
    if let cookie { asked[cookie] = question }
  }

  private func ask(
    _ question: Question, player: String, _ interface: PlayerInterface, _ member: String,
    _ arguments: [BusValue] = []
  ) {
    let cookie = connection.call(player, PlayerInterface.path, interface.rawValue, member, arguments)
    if let cookie { asked[cookie] = question }
  }

  private func watch(_ rule: String) {
    _ = connection.call(
      Self.driver.name, Self.driver.path, Self.driver.name, "AddMatch", [.string("type='signal'," + rule)])
  }

  /// Asks for our name; another router of the desktop may have it, so that this one is an instance.
  private func requestName(attempt: Int) {
    let plain = identity.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
    var name = PlayerInterface.namePrefix + (plain.first?.isNumber ?? true ? "_" + plain : plain)
    if attempt > 0 { name += ".instance\(System.getpid())" }
    if attempt > 1 { name += "_\(attempt)" }
    // 4: we do not wait in a queue for it.
    ask(.ownName(name, attempt: attempt), "RequestName", [.string(name), .count(4)])
  }

  private func send(_ verb: DesktopVerb, to player: String) {
    ask(.command(verb, to: player), player: player, .player, verb.method)
  }

  /// Begins to pause the player that played last. Its news of a moment ago may still be on their way, so that only its own answer tells whether
  /// it plays.
  private func interrupt() {
    guard let player = players.last?.busName else { return }
    interrupting = player
    ask(
      .status(of: player), player: player, .properties, "Get",
      [.string(PlayerInterface.player.rawValue), .string("PlaybackStatus")])
  }

  private func examine(_ player: String) {
    let interface = BusValue.string(PlayerInterface.root.rawValue)
    ask(.state(of: player), player: player, .properties, "GetAll", [.string(PlayerInterface.player.rawValue)])
    ask(.identity(of: player), player: player, .properties, "Get", [interface, .string("Identity")])
  }

  // MARK: Messages

  /// Does what a message demands.
  func receive(_ message: BusMessage, at time: Double) {
    switch message.kind {
    case .call: answer(message, at: time)
    case .signal: note(message)
    case .reply, .failure:
      if let question = message.answered.flatMap({ asked.removeValue(forKey: $0) }) {
        note(message, question)
      }
    case nil: break
    }
    guard players.last != toldForeign else { return }
    toldForeign = players.last
    events(.foreign(toldForeign))
  }

  private func answer(_ message: BusMessage, at time: Double) {
    // A caller keeps what it reads and waits for changes. It must not read what was never told, because a state that then goes back to
    // what was told would be no change.
    let news = announcer.news(of: service.now)
    if !news.isEmpty { tell(news, at: time) }
    let call = PlayerCall(
      path: message.path ?? "", interface: message.interface, member: message.member ?? "",
      signature: message.signature, arguments: message.values())
    connection.reply(to: message, service.answer(call, at: time, handler))
  }

  private func note(_ answer: BusMessage, _ question: Question) {
    let values = answer.kind == .reply ? answer.values() : []
    switch (question, values.first) {
    // 1: the name is ours.
    case (.ownName(let name, _), .count(1)?):
      self.name = name
      events(.connected(name: name))
    case (.ownName(_, let attempt), .count?): requestName(attempt: attempt + 1)
    case (.ownName(let name, _), nil):
      let reason = answer.errorText ?? "no reason was given"
      events(
        .absent(
          "the session bus refuses the name \(name) (\(reason)): the desktop and headset keys do not reach multiroute"
        ))
    case (.allNames, .strings(let names)?):
      for name in names where ForeignPlayers.isPlayer(name) && name != self.name { examine(name) }
    case (.state(let player), .table(let properties)?):
      players.appeared(player, owner: answer.sender ?? "")
      note(properties, of: player)
    case (.identity(let player), let value?):
      if let text = value.text { players.identified(player, as: text) }
    case (.status(let player), let value?):
      note(["PlaybackStatus": value], of: player)
      guard interrupting == player else { return }
      interrupting = nil
      if players.interrupt(player) { send(.pause, to: player) }
    case (.command(let verb, let player), nil) where answer.kind == .failure:
      players.refused(player)
      events(.refused("\(player) refused \(verb.method): \(answer.errorText ?? "no reason was given")"))
    default: break
    }
  }

  private func note(_ signal: BusMessage) {
    let values = signal.values()
    switch (signal.member, values.first, values.dropFirst().first, values.last) {
    case ("NameOwnerChanged", .string(let name)?, _, .string(let owner)?)
    where signal.sender == Self.driver.name && ForeignPlayers.isPlayer(name):
      if owner.isEmpty { players.vanished(name) }
      if !owner.isEmpty, owner != connection.uniqueName {
        players.appeared(name, owner: owner)
        examine(name)
      }
    case ("PropertiesChanged", _, .table(let properties)?, .strings(let invalidated)?):
      for player in players.names(of: signal.sender ?? "") {
        note(properties, of: player)
        if invalidated.contains("PlaybackStatus") { examine(player) }
      }
    default: break
    }
  }

  private func note(_ properties: [String: BusValue], of player: String) {
    if let status = properties["PlaybackStatus"]?.text.flatMap(NowPlaying.Status.init(rawValue:)) {
      players.changed(player, to: status)
    }
  }
}
