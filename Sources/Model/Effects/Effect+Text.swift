// Effects as presets and addresses write them: `high-pass HPfreq=100`, `eq off preset="Warm hall"`,
// `keyed-compressor sidechain=stream:show.voice`.

/// What is wrong with the text of an effect.
public struct EffectTextError: Error, Equatable, Sendable {
  /// A sentence without its point.
  public var what: String
  /// What would be right, in the same form.
  public var fix: String
  /// The text that is neither a short name nor a URI, if that is the mistake.
  public var unknownName: String?
}

extension Effect {
  /// Most bytes of the text of an effect.
  public static let longestText = 1_400

  /// The effect as text.
  public var text: String {
    var words = [plugin]
    if !isOn { words.append("off") }
    if let preset { words.append("preset=\"\(preset)\"") }
    if let sideChain { words.append("sidechain=\(sideChain)") }
    words += values.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.text(of: $0.value))" }
    return words.joined(separator: " ")
  }

  private static func text(of value: Float) -> String {
    value == value.rounded() && abs(value) < 1e6 ? "\(Int(value))" : "\(value)"
  }

  /// Reads an effect.
  ///
  /// - Throws: `EffectTextError` if the text names no plugin, or says what no plugin understands.
  public init(text: String) throws(EffectTextError) {
    guard text.utf8.count <= Self.longestText else {
      throw EffectTextError(
        what: "the effect has \(text.utf8.count) bytes",
        fix: "write at most \(Self.longestText); a preset of the plugin may hold the rest")
    }
    var words = Self.words(in: text)[...]
    self.init(try Self.plugin(words.popFirst() ?? ""))
    for word in words {
      guard let sign = word.firstIndex(of: "=") else {
        switch word {
        case "off": isOn = false
        case "on": isOn = true
        default:
          throw EffectTextError(
            what: "'\(word)' says nothing of an effect",
            fix: "write off, preset=\"name\", sidechain=source or symbol=value")
        }
        continue
      }
      let (key, value) = (String(word[..<sign]), String(word[word.index(after: sign)...]))
      switch key {
      case "preset": preset = try Self.preset(value)
      case "sidechain": sideChain = try Self.sideChain(value)
      default: values[key] = try Self.value(value, of: key)
      }
    }
    try requireSideChain()
  }

  /// Refuses an effect whose plugin needs the sound of a side chain and has none.
  public func requireSideChain() throws(EffectTextError) {
    guard sideChain == nil, let known = EffectName.named(plugin), known.needsSideChain else { return }
    throw EffectTextError(
      what: "\(known.name) needs the sound of a side chain",
      fix: "name it, such as sidechain=stream:show.voice, or write compressor")
  }

  /// A plugin as presets write it: a short name, or a URI.
  public static func plugin(_ text: String) throws(EffectTextError) -> String {
    if let known = EffectName.named(text) { return known.name }
    let scalars = text.unicodeScalars
    guard text.contains(":"), scalars.allSatisfy({ $0 > " " && $0 != "\"" && $0 != "\u{7f}" }) else {
      let names = EffectName.all.map(\.name).joined(separator: ", ")
      throw EffectTextError(
        what: text.isEmpty ? "the effect names no plugin" : "'\(text)' is no plugin",
        fix: "write the URI of a plugin, or one of \(names)", unknownName: text)
    }
    return text
  }

  /// A name or URI of a preset.
  public static func preset(_ text: String) throws(EffectTextError) -> String {
    guard !text.isEmpty, text.unicodeScalars.allSatisfy({ $0 >= " " && $0 != "\"" && $0 != "\u{7f}" }) else {
      throw EffectTextError(
        what: "'\(text)' is no name of a preset", fix: "write the name that the plugin gives it")
    }
    return text
  }

  /// The source of a side chain, as far as texts of effects know sources.
  public static func sideChain(_ text: String) throws(EffectTextError) -> String {
    guard !text.isEmpty, text.unicodeScalars.allSatisfy({ $0 > " " && $0 != "\"" && $0 != "\u{7f}" }) else {
      throw EffectTextError(
        what: "'\(text)' is no source of a side chain",
        fix: "write stream:<session>.<stream> or output:<output>")
    }
    return text
  }

  /// Checks the symbol of a control.
  public static func symbol(_ text: String) throws(EffectTextError) -> String {
    let isSymbol =
      text.utf8.count <= 64 && !(text.utf8.first ?? 48).isDigit
      && text.utf8.allSatisfy { $0.isDigit || $0 == 95 || (97...122).contains($0 | 32) }
    guard isSymbol else {
      throw EffectTextError(
        what: "'\(text)' is no symbol of a control",
        fix: "write letters, digits and _, as `/session/<s>/stream/<t>/effect/<e>/controls` lists them")
    }
    return text
  }

  private static func value(_ text: String, of key: String) throws(EffectTextError) -> Float {
    _ = try symbol(key)
    guard let value = Float(text), value.isFinite else {
      throw EffectTextError(what: "'\(text)' is no value for \(key)", fix: "write a number")
    }
    return value
  }

  /// The words, which blanks separate, but for blanks between quotation marks.
  private static func words(in text: String) -> [String] {
    var (words, word, isQuoted) = ([String](), "", false)
    for character in text {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }

  /// The effect by the plugin's URI, with the values that its short name means.
  public func resolved(channels: Int) -> Effect {
    guard let name = EffectName.named(plugin) else { return self }
    var effect = self
    effect.plugin = name.plugin(channels: channels)
    effect.values = name.values.merging(values) { $1 }
    return effect
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (48...57).contains(self) }
}
