import Patterns
public import SessionModel

extension Table {
  @_optimize(none)
  static var presets: [Parameter] {
    recalls + rules + present + library
  }

  /// What recalls a preset, or ends a recall.
  @_optimize(none)
  private static var recalls: [Parameter] {
    [
      Parameter(
        "/preset/list", .command(""), right: .view, .surface(.listPresets),
        "Lists presets: index, total, id, title."),
      Parameter(
        "/preset/recall", .command("s id [f fade]"), .surface(.recallPreset),
        "Recalls a preset, all or nothing, with a fade in seconds, else the preset's or `/preset/fade`. A session refused at present waits."
      ),
      Parameter(
        "/preset/<id>/recall", .trigger,
        .lamp(.recallNamedPreset) { state, target in
          target.preset.map { .flag(state.presets.current == $0) }
        },
        "Recalls the preset; also an indicator that the preset is in force."),
      Parameter(
        "/preset/<id>/recall/in", .command("f fade"), .surface(.recallNamedPreset),
        "Recalls the preset with this fade in seconds, 0 to 120."),
      Parameter(
        "/preset/<id>/preview", .command(""), right: .view, .surface(.previewPreset),
        "Lists what a recall would change, the most audible first: index, total, address, value now, value then, effect."
      ),
      Parameter(
        "/preset/<id>/check", .command(""), right: .view, .surface(.checkPreset),
        "Lists devices, programs, bridges, plugins and activations that it would miss: index, total, address, problem."
      ),
      Parameter(
        "/preset/go", .trigger, .surface(.goToStandby),
        "Recalls the preset on standby, then the next one is; not twice within `/preset/guard`."
      ),
      Parameter(
        "/preset/next", .trigger, .surface(.nextPreset), "Recalls the preset that follows the one in force."),
      Parameter(
        "/preset/prev", .trigger, .surface(.previousPreset),
        "Recalls the preset before the one in force."),
      Parameter(
        "/preset/abort", .trigger, .surface(.abortRecall),
        "Stops the fade: levels stay; streams still come and go."),
      Parameter(
        "/preset/undo", .trigger, .surface(.undoRecall),
        "Brings back all settings from before the last recall, with `/preset/fade`."),
    ]
  }

  /// How recalls are carried out.
  @_optimize(none)
  private static var rules: [Parameter] {
    [
      Parameter(
        "/preset/fade", .number(0...PresetStatus.longestFade), unit: "s", scope: .gain,
        router.value(\.presets.fade) { .preset(.fade($0)) }, "The fade of a recall without a time of its own."
      ),
      Parameter(
        "/preset/guard", .number(0...PresetStatus.longestGuard), unit: "s", scope: .limit,
        router.value(\.presets.guardTime) { .preset(.guardTime($0)) },
        "How long after a recall the same, or a go, next or prev, is ignored."
      ),
      Parameter(
        "/preset/scope", .text, scope: .limit,
        router.value(
          read: { .text(Scope.text(of: $0.presets.scope)) },
          write: { value throws(SessionError) in .preset(.scope(try Scope.words(in: try String(value)))) }),
        "The parts of the settings that a recall may change, joined by +, or `all`: \(Scope.allCases.map(\.rawValue).joined(separator: " "))."
      ),
      Parameter(
        "/preset/safe", .texts, scope: .limit,
        router.value(
          read: { .texts($0.presets.safes) },
          write: { value throws(SessionError) in .preset(.safes(try SafePatterns.checked([String](value)))) }),
        "Patterns of addresses that no recall touches, with everything below them."),
      Parameter(
        "/preset/standby", .text, scope: .active,
        router.value(
          read: { .text($0.presets.standby?.name ?? "none") },
          write: { value throws(SessionError) in
            let text = try String(value)
            guard let id = PresetID(text) else {
              throw SessionError(.badValue, "'\(text)' is not a preset's id; /preset/list lists them")
            }
            return .preset(.standby(text == "none" ? nil : id))
          }),
        "The preset that `/preset/go` recalls, or `none`."),
    ]
  }

  /// The preset in force.
  @_optimize(none)
  private static var present: [Parameter] {
    [
      Parameter(
        "/preset/current", .text, router.readOnly { $0.presets.current?.name ?? "none" },
        "The preset in force, or `none`."),
      Parameter(
        "/preset/modified", .toggle, router.readOnly(\.presets.isModified),
        "Whether a setting has changed since the recall."),
      Parameter(
        "/preset/progress", .number(0...1),
        router.observed(isMoving: { moment, state in state.presets.fading != nil }) { moment, state in
          state.presets.fading?.progress(at: moment.time) ?? 1
        },
        "How much of the fade has passed; 1 while none runs."),
    ]
  }
}

extension Table {
  /// What writes presets.
  @_optimize(none)
  fileprivate static var library: [Parameter] {
    [
      Parameter(
        "/preset/store", .command("s id [s title]"), .surface(.storePreset),
        "Writes every setting of `/preset/scope` as a new preset, which is then in force."
      ),
      Parameter(
        "/preset/update", .command("s id [switch dropComments, 0]"), .surface(.updatePreset),
        "Replaces a preset by every setting of `/preset/scope`; ten versions stay. Refused if the file changed since its recall, or, without `dropComments`, has comments. Loosening a guard takes admin."
      ),
      Parameter(
        "/preset/versions", .command("s id"), right: .view, .surface(.listVersions),
        "Lists earlier versions: index, total, id, number, time in ISO 8601."),
      Parameter(
        "/preset/restore", .command("s id i number"), .surface(.restorePreset),
        "Makes an earlier version the present one, also of a deleted preset."),
      Parameter(
        "/preset/delete", .command("s id"), .surface(.deletePreset),
        "Deletes a preset. Its versions stay, so that a restore undoes this."),
      Parameter(
        "/preset/<id>/lock", .toggle,
        .lamp(.lockPreset) { state, target in
          target.preset.flatMap { state.presets.library[$0] }.map { .flag($0.isLocked) }
        }, "Locks the preset against update, restore and delete."),
    ]
  }
}

extension Scope {
  /// The words joined by `+`, in the published order; `all` for all of them.
  public static func text(of words: Set<Scope>) -> String {
    words.count == allCases.count
      ? "all" : allCases.filter(words.contains).map(\.rawValue).joined(separator: "+")
  }

  /// Reads words joined by `+`, or `all`.
  /// - Throws: `SessionError` badValue with the unknown word and all known ones.
  public static func words(in text: String) throws(SessionError) -> Set<Scope> {
    if text == "all" { return Set(allCases) }
    var words: Set<Scope> = []
    for part in text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let word = Scope(rawValue: String(part)) else {
        let known = allCases.map(\.rawValue).joined(separator: ", ")
        throw SessionError(
          .badValue, "'\(part)' is no part of the settings; there are \(known), or all of them: all")
      }
      words.insert(word)
    }
    return words
  }
}

/// Patterns of addresses that no recall touches.
public enum SafePatterns {
  /// - Throws: `SessionError` badValue for a text that is no pattern.
  public static func checked(_ texts: [String]) throws(SessionError) -> [String] {
    for text in texts {
      do throws(PatternError) { _ = try AddressPattern(text) } catch {
        throw SessionError(.badValue, "'\(text)' is malformed: \(error)")
      }
    }
    return texts
  }

  /// A function that tells whether an address is safe; nil if there are no patterns. A pattern also matches everything below what it
  /// matches.
  public static func matcher(of texts: [String]) -> (@Sendable (String) -> Bool)? {
    let patterns = texts.compactMap { try? AddressPattern($0) }
    guard !patterns.isEmpty else { return nil }
    return { address in patterns.contains { $0.matchesPrefix(of: address) } }
  }
}
