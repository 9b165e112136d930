/// A tablet's controls for a router: pages of faders, scenes and mixes, and a bar that every page has.
///
/// A plain value, made from the table of addresses and a preset, from which the files of the programs are written.
public struct Layout: Equatable, Sendable {
  let title: String
  let pages: [Page]
  /// Widgets below all pages; their places count from the lower left corner of the pages.
  let bar: [Widget]
  /// What the surface sends when it begins and when it has not heard from the router: the size of its bank, and subscriptions to what it
  /// shows and nothing else. In between it sends one of these messages at a time. That renews the lease, and brings what Wi-Fi has lost.
  let greeting: [Message]

  /// A page with a name on its tab.
  struct Page: Equatable {
    let name: String
    let widgets: [Widget]
  }

  /// The size of a page, and the heights of the bar and of the tabs. Programs stretch all of it to the screen.
  static let size = (width: 1_024.0, height: 620.0)
  static let barHeight = 100.0
  static let tabHeight = 48.0

  /// A message that the surface sends by itself.
  struct Message: Equatable {
    let address: String
    let arguments: [Argument]

    enum Argument: Equatable {
      case text(String)
      case number(Double)
      case integer(Int)
    }

    init(_ address: String, _ arguments: Argument...) {
      (self.address, self.arguments) = (address, arguments)
    }

    /// Subscribes to what matches a pattern.
    static func subscription(to pattern: String, rate: Double) -> Message {
      Message("/subscribe", .text(pattern), .number(rate))
    }
  }

  /// The router's sign of life, which comes once a second.
  static let signOfLife = "/alive"
  /// Milliseconds between two messages of the greeting. Without a sign of life for so long, the surface sends all of them.
  static let renewalTime = 3_000

  /// The most faders of a bank.
  public static let widestBank = 24
}
