/// A condition of the router, its devices or its machine that a person should know of. `Law/Health` says when each holds.
///
/// The order is that of their weight: of several conditions, `/health/state` tells the first.
public enum HealthRule: String, CaseIterable, Sendable {
  case server
  case stall
  case deadAir = "quiet"
  case load
  case xruns
  case priority
  case contested
  case loop
  case disk
  case limiting
  case voice
  case effects
  case talkback
  case rate
  case drift
  case direct
  case surface
  case packets

  public var severity: Severity {
    switch self {
    case .server, .stall, .deadAir: .severe
    case .load, .xruns, .priority, .contested, .loop, .disk, .limiting, .voice, .effects, .talkback, .rate:
      .warning
    case .drift, .direct, .surface, .packets: .notice
    }
  }

  /// How much a condition matters.
  public enum Severity: String, Sendable {
    /// The audience hears it, or is about to.
    case severe
    /// The audience may hear it.
    case warning
    /// A person should look at it when there is time.
    case notice
  }

  /// When the condition holds, for the reference.
  public var summary: String {
    switch self {
    case .server: "There is no audio server."
    case .stall: "A program that does not answer holds up the audio server."
    case .deadAir: "A session on air has been without sound for its `/session/<s>/quiet` time."
    case .load: "The audio thread uses more than 70 % of its time."
    case .xruns: "There was an xrun in the last minute."
    case .priority: "The audio thread has no real-time priority."
    case .contested: "Another program changes the cables of an exclusive port again and again."
    case .loop: "A stream takes the monitor of an output that it goes to."
    case .disk: "The disk of the recordings has less than 1 GiB of room."
    case .limiting: "An output has limited for 10 s."
    case .voice: "The voice processing of a session is late, finds no echo, or is refused."
    case .effects: "A plugin is left out."
    case .talkback: "A talkback has been open for its `/session/<s>/talkback/alarm` time."
    case .rate: "The audio server or a device came back with another sample rate."
    case .drift: "A bridge's clock is off by more than 75 ppm."
    case .direct: "A source is also heard directly, past the router."
    case .surface: "A surface has stopped answering."
    case .packets: "Packets of clients were lost in the last minute."
    }
  }
}
