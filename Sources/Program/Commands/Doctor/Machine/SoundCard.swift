/// A sound card as ALSA lists it.
struct SoundCard: Equatable {
  var number: Int
  /// The id, such as `USB`, as in `hw:USB`.
  var id: String
  var name: String
  /// Where it is plugged in; nil for a card inside the machine.
  var usb: Place?

  /// A place at the universal serial bus.
  struct Place: Equatable {
    /// The kernel's name: the bus, then the port at each hub, such as `1-3.2`.
    var name: String
    /// Megabits a second: 1.5, 12, 480, 5000 and so on.
    var speed: Double
    /// The version of USB that the card itself has, such as 2.0.
    var version: Double
    /// Whether the kernel may put it to sleep.
    var maySleep: Bool

    /// The hub that the card shares with others; nil if it is plugged into the machine.
    var hub: String? { name.lastIndex(of: ".").map { String(name[..<$0]) } }
  }
}
