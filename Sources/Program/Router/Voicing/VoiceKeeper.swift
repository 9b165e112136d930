import MixEngine
import SessionModel
import Voice
import VoiceKernel

/// Carries out what the state wants of voice processing at one server. Belongs to the policy thread.
///
/// A processing is made while the capture goes on as it was, because that takes longer than a period. It is silent in the mix until the capture
/// without it has faded out. One that takes the place of another comes into the mix when the other one has faded out.
final class VoiceKeeper {
  /// Makes a processing, and gives the result to `take` on the policy thread.
  typealias Make = (_ plan: VoicePlan, _ session: SessionID, _ number: Int) -> Void

  private let make: Make
  private var voices: [SessionID: KeptVoice] = [:]
  /// The sessions as far as they are carried out.
  private var carried = Registry<SessionID, Session>()
  private var lastNumber = 0
  /// What the mix has.
  private(set) var mix: [SessionID: MixVoice] = [:]
  /// Whether the sound of each processing is let through, by its number.
  private(set) var gates: [Int: Bool] = [:]
  /// When to look for new reports, in seconds since the start; nil if there are none.
  var due: Double?

  init(_ make: @escaping Make) { self.make = make }

  /// Makes a processing on the calling thread. May take 50 ms.
  static func made(_ plan: VoicePlan) -> Result<VoiceProcessor, VoiceError> {
    do throws(VoiceError) {
      return .success(
        try VoiceProcessor(
          plan.parts, rate: plan.rate, period: plan.period, loudspeakers: plan.loudspeakers.count))
    } catch { return .failure(error) }
  }

  /// Whether a processing begins or fades out, so that `advance` must be called later.
  var isSwitching: Bool { voices.values.contains { $0.running?.isOpen == false } }
  var isEmpty: Bool { voices.isEmpty }

  // MARK: Changes of the state

  /// Carries out a state.
  func follow(_ state: RouterState, rate: Int, period: Int) {
    for id in state.sessions.keys(changedSince: carried) {
      if state.sessions[id]?.processesVoice == true, voices[id] == nil { voices[id] = KeptVoice() }
    }
    for id in voices.keys where state.sessions[id] == nil { voices[id]?.isGone = true }
    carried = state.sessions
    guard !voices.isEmpty else { return }
    for (id, var voice) in voices {
      let session = state.sessions[id]
      let plan = session.flatMap { VoicePlan($0, in: state, rate: rate, period: period) }
      follow(plan, of: id, &voice)
      if let session { voice.follow(session, in: state) }
      voices[id] = voice
    }
    refresh()
  }

  private func follow(_ plan: VoicePlan?, of session: SessionID, _ voice: inout KeptVoice) {
    let isOther = voice.running.map { $0.plan != plan || $0.end != nil } ?? (plan != nil)
    if !isOther || plan == nil { voice.next = nil }
    if isOther, let plan, voice.next?.plan != plan {
      lastNumber += 1
      voice.next = KeptVoice.Next(plan: plan, number: lastNumber)
      voices[session] = voice
      make(plan, session, lastNumber)
      // A processing that was made at once has come by now.
      voice = voices[session] ?? voice
    }
    voice.turn(isWanted: plan != nil)
  }

  /// Takes a processing that was made. One that is no longer wanted, or that was made for an earlier server, goes at once.
  func take(
    _ result: Result<VoiceProcessor, VoiceError>, _ plan: VoicePlan, for session: SessionID, number: Int
  ) {
    guard var voice = voices[session], let next = voice.next, next.number == number, next.plan == plan else {
      return
    }
    voice.next?.result = result
    voice.turn(isWanted: true)
    voices[session] = voice
    refresh()
  }

  /// Notes the engine frame at which everything has faded out that began to do so in the last publication.
  func endFadeOut(at frame: UInt64) {
    for (id, voice) in voices {
      if voice.running?.begin == .max { voices[id]?.running?.begin = frame }
      if voice.running?.end == .max { voices[id]?.running?.end = frame }
    }
  }

  /// Removes the processings that have faded out by an engine frame, and lets those be heard that had to wait until then.
  /// - Returns: whether there was any.
  func advance(at frame: UInt64) -> Bool {
    var hasAdvanced = false
    for (id, voice) in voices {
      if let end = voice.running?.end, end <= frame {
        voices[id]?.running = nil
        voices[id]?.turn(isWanted: true)
      } else if let begin = voice.running?.begin, begin <= frame {
        voices[id]?.running?.begin = nil
      } else {
        continue
      }
      hasAdvanced = true
    }
    if hasAdvanced { refresh() }
    return hasAdvanced
  }

  private func refresh() {
    voices = voices.filter { !$0.value.isIdle(carried[$0.key]) }
    (mix, gates) = ([:], [:])
    for (id, voice) in voices {
      guard let running = voice.running else { continue }
      mix[id] = MixVoice(
        store: running.processor.node, number: running.number, loudspeakers: running.plan.loudspeakers)
      gates[running.number] = running.isOpen
    }
  }

  // MARK: Reports

  /// The reports of all voices, and of the sessions that have none any more.
  func reports(_ state: RouterState, at time: Double) -> [(SessionID, VoiceReport)] {
    var reports: [(SessionID, VoiceReport)] = []
    for id in voices.keys {
      voices[id]?.look(at: time)
      guard let report = voices[id]?.report(at: time), state.sessions[id] != nil else { continue }
      reports.append((id, report))
    }
    return reports + state.reportingVoices.filter { voices[$0] == nil }.map { ($0, VoiceReport()) }
  }

  /// The echo return loss enhancement of each echo canceller, in dB.
  var enhancements: [SessionID: Double] {
    voices.compactMapValues { voice in
      voice.running.flatMap { $0.plan.loudspeakers.isEmpty ? nil : $0.processor.measures.enhancement }
    }
  }
}
