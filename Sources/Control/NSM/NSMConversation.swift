public import OSC

/// This program's side of the protocol between a session manager and its clients, without a socket: messages in, messages out.
///
/// Source: the API of the New Session Manager, version 1.1. Type tags are exact on both sides.
public struct NSMConversation: Sendable {
  /// What follows from a message or from the end of an order.
  public enum Step: Equatable, Sendable {
    case send(OSCMessage)
    /// The session manager of this name takes the program into its session.
    case accepted(by: String)
    /// The session manager does not take the program.
    case refused(code: Int32, reason: String)
    /// An order that must be carried out now. Call `finish` then.
    case order(NSMOrder)
  }

  private enum Phase { case announced, accepted, refused }

  private let announcement: OSCMessage
  private var phase = Phase.announced
  private var inHand: NSMOrder?
  /// Orders that came while another one was carried out.
  private var waiting: [NSMOrder] = []
  private var isOpen = false
  /// What the session manager believes.
  private var isDirty = false

  /// A session manager sends one order and waits for its answer, so that more than these are a fault.
  private static let mostWaiting = 16
  private static let announce = "/nsm/server/announce"

  /// - Parameters:
  ///   - application: the program's name, for people.
  ///   - executable: the base name with which the program was started.
  ///   - process: the program's process number.
  public init(application: String, executable: String, process: Int32) {
    announcement = OSCMessage(
      Self.announce, .string(application), .string(":dirty:switch:progress:message:"), .string(executable),
      .int32(1), .int32(1), .int32(process))
  }

  /// The first message.
  public func begin() -> [Step] { [.send(announcement)] }

  /// Takes a message of the session manager. Messages that concern other programs are ignored.
  public mutating func receive(_ message: OSCMessage) -> [Step] {
    guard phase != .refused else { return [] }
    switch (message.address, message.typeTags) {
    case ("/reply", "ssss") where isAnswer(message):
      phase = .accepted
      return [.accepted(by: message.text(2))]
    case ("/error", "sis") where isAnswer(message):
      guard case .int32(let code) = message.arguments[1] else { return [] }
      phase = .refused
      return [.refused(code: code, reason: message.text(2))]
    case ("/nsm/client/open", "sss"):
      let project = NSMProject(path: message.text(0), name: message.text(1), client: message.text(2))
      // The answer to the announcement may have got lost.
      let acceptance: [Step] = phase == .announced ? [.accepted(by: "")] : []
      phase = .accepted
      return acceptance + take(.open(project))
    case ("/nsm/client/save", "") where phase == .accepted: return take(.save)
    case ("/nsm/client/open", let tags), ("/nsm/client/save", let tags):
      let wanted = message.address.hasSuffix("open") ? ",sss" : ","
      return [
        .send(Self.error(message.address, .general, "the arguments are ,\(tags), and must be \(wanted)"))
      ]
    default: return []
    }
  }

  /// Whether a message answers the announcement, for the first time.
  private func isAnswer(_ message: OSCMessage) -> Bool {
    phase == .announced && message.text(0) == Self.announce
  }

  // MARK: Orders

  private mutating func take(_ order: NSMOrder) -> [Step] {
    guard inHand != nil else { return begin(order) }
    guard waiting.count < Self.mostWaiting else {
      return [.send(Self.error(order.address, .pending, "too many orders wait for the one in hand"))]
    }
    waiting.append(order)
    return []
  }

  private mutating func begin(_ order: NSMOrder) -> [Step] {
    if let failure = failure(of: order) {
      return [.send(Self.error(order.address, failure.code, failure.reason))]
    }
    inHand = order
    return (order == .save ? [] : progress(0)) + [.order(order)]
  }

  /// Why an order cannot be carried out at all.
  private func failure(of order: NSMOrder) -> NSMFailure? {
    switch order {
    case .save: return isOpen ? nil : NSMFailure(.noSession, "no session is open, so nothing can be saved")
    case .open(let project):
      if !project.path.hasPrefix("/") {
        return NSMFailure(.createFailed, "the project's path '\(project.path)' is not absolute")
      }
      if project.client.isEmpty || project.client.contains(":") {
        return NSMFailure(
          .general, "'\(project.client)' cannot be a JACK client's name: it must not be empty nor contain ':'"
        )
      }
      return nil
    }
  }

  /// Answers the order in hand, and begins the next one that waits.
  ///
  /// - Parameter outcome: a sentence for people, or the reason why the order was not carried out.
  public mutating func finish(_ outcome: Result<String, NSMFailure>) -> [Step] {
    guard let order = inHand else { return [] }
    var steps: [Step] = []
    switch outcome {
    case .success(let sentence):
      if case .open = order {
        isOpen = true
        steps += progress(1)
      }
      steps.append(.send(OSCMessage("/reply", .string(order.address), .string(sentence))))
    case .failure(let failure): steps.append(.send(Self.error(order.address, failure.code, failure.reason)))
    }
    inHand = nil
    while inHand == nil, !waiting.isEmpty { steps += begin(waiting.removeFirst()) }
    return steps
  }

  private static func error(_ address: String, _ code: NSMFailure.Code, _ reason: String) -> OSCMessage {
    OSCMessage("/error", .string(address), .int32(code.rawValue), .string(reason))
  }

  // MARK: Telling

  /// Tells whether settings differ from those that are saved, unless the session manager knows it.
  public mutating func tell(isDirty: Bool) -> [Step] {
    guard isOpen, self.isDirty != isDirty else { return [] }
    self.isDirty = isDirty
    return [.send(OSCMessage(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean"))]
  }

  /// Tells how much of the order in hand is done, from 0 to 1.
  public func progress(_ fraction: Float) -> [Step] {
    inHand == nil ? [] : [.send(OSCMessage("/nsm/client/progress", .float(fraction)))]
  }

  /// Tells people what they should know, with a priority from 0 to 3.
  public func tell(_ sentence: String, priority: Int32) -> [Step] {
    guard phase == .accepted else { return [] }
    return [.send(OSCMessage("/nsm/client/message", .int32(priority), .string(sentence)))]
  }
}

extension OSCMessage {
  /// The text of an argument; empty if there is no such text.
  fileprivate func text(_ index: Int) -> String {
    guard index < arguments.count, case .string(let text) = arguments[index] else { return "" }
    return text
  }
}
