public import SystemCalls

/// A short name for a plugin that is recommended for a purpose.
public struct EffectName: Sendable {
  /// As presets have it, such as `compressor`.
  public var name: String
  /// What it is for, in a few words.
  public var summary: String
  /// The plugin's URI for one channel, and for two or more.
  public var (mono, stereo): (String, String)
  /// What makes the plugin serve the purpose at once.
  public var values: [String: Float]
  /// Which package has it.
  public var package: SystemPackage
  /// Whether it needs the sound of a side chain.
  public var needsSideChain: Bool

  init(
    _ name: String, _ summary: String, mono: String, stereo: String, values: [String: Float] = [:],
    _ package: SystemPackage, needsSideChain: Bool = false
  ) {
    (self.name, self.summary, self.mono, self.stereo) = (name, summary, mono, stereo)
    (self.values, self.package, self.needsSideChain) = (values, package, needsSideChain)
  }

  /// The URI of the plugin for a number of channels.
  public func plugin(channels: Int) -> String { channels == 1 ? mono : stereo }

  /// The name that a text means, in capital or small letters; nil for any other text.
  public static func named(_ text: String) -> EffectName? {
    let text = text.lowercased()
    return all.first { $0.name == text }
  }

  /// The names whose plugin has a URI.
  public static func all(of uri: String) -> [EffectName] {
    all.filter { [$0.mono, $0.stereo].contains(uri) }
  }

  /// The names whose plugin has a URI, with commas; `none` if none has.
  public static func text(of uri: String) -> String {
    let names = all(of: uri).map(\.name)
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }

  static let x42 = SystemPackage("x42-plugins", fedora: "lv2-x42-plugins")
  static let lsp = SystemPackage("lsp-plugins-lv2", fedora: "lsp-plugins-lv2")
  static let mda = SystemPackage("mda-lv2", fedora: "lv2-mdala-plugins")

  private static func robin(_ name: String) -> String { "http://gareus.org/oss/lv2/\(name)" }
  private static func studio(_ name: String) -> String { "http://lsp-plug.in/plugins/lv2/\(name)" }
  private static func paul(_ name: String) -> String { "http://drobilla.net/plugins/mda/\(name)" }

  /// All of them. Measured: what they cost, and that the first ones move without a step.
  public static let all = [
    EffectName(
      "high-pass", "cuts rumble below a frequency", mono: robin("fil4#mono"), stereo: robin("fil4#stereo"),
      values: ["HighPass": 1, "HPfreq": 80], x42),
    EffectName(
      "low-pass", "cuts hiss above a frequency", mono: robin("fil4#mono"), stereo: robin("fil4#stereo"),
      values: ["LowPass": 1, "LPfreq": 12_000], x42),
    EffectName(
      "eq", "four bands, shelves, high-pass and low-pass", mono: robin("fil4#mono"),
      stereo: robin("fil4#stereo"), x42),
    EffectName(
      "graphic-eq", "sixteen faders of fixed frequencies", mono: studio("graph_equalizer_x16_mono"),
      stereo: studio("graph_equalizer_x16_stereo"), lsp),
    EffectName(
      "gate", "silence below a threshold", mono: studio("gate_mono"), stereo: studio("gate_stereo"), lsp),
    EffectName(
      "expander", "quiet becomes quieter", mono: studio("expander_mono"), stereo: studio("expander_stereo"),
      lsp),
    EffectName(
      "compressor", "loud becomes less loud", mono: studio("compressor_mono"),
      stereo: studio("compressor_stereo"), lsp),
    EffectName(
      "keyed-compressor", "quieter while another sound is loud", mono: studio("sc_compressor_mono"),
      stereo: studio("sc_compressor_stereo"), values: ["sct": 2], lsp, needsSideChain: true),
    EffectName(
      "multiband", "a compressor for each range of frequencies", mono: studio("mb_compressor_mono"),
      stereo: studio("mb_compressor_stereo"), lsp),
    EffectName(
      "limiter", "no peak above a level", mono: robin("dpl#mono"), stereo: robin("dpl#stereo"), x42),
    EffectName(
      "de-esser", "softens sharp s", mono: paul("DeEss"), stereo: paul("DeEss"), mda),
    EffectName("reverb", "a room", mono: paul("Ambience"), stereo: paul("Ambience"), mda),
    EffectName("delay", "echoes", mono: paul("Delay"), stereo: paul("Delay"), mda),
  ]
}
