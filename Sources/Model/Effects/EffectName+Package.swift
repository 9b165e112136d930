public import SystemCalls

extension EffectName {
  /// The package that has the plugin of a URI; nil if it is not known.
  public static func package(of uri: String) -> SystemPackage? {
    makers.first { uri.hasPrefix($0.beginning) }?.package
  }

  /// The names whose plugins are not installed, with the package that has them.
  public static func missing(in list: EffectList) -> [(package: SystemPackage, names: [EffectName])] {
    let installed = Set(list.plugins.map(\.uri))
    return [x42, lsp, mda].compactMap { package in
      let missing = all.filter {
        $0.package == package && !(installed.contains($0.mono) && installed.contains($0.stereo))
      }
      return missing.isEmpty ? nil : (package, missing)
    }
  }

  /// How the URIs of a package's plugins begin, of those packages of Debian whose plugins people use for sound.
  private static let makers: [(beginning: String, package: SystemPackage)] = [
    ("http://gareus.org/oss/lv2/", x42), ("http://lsp-plug.in/plugins/lv2/", lsp),
    ("http://drobilla.net/plugins/mda/", mda),
    ("urn:zamaudio:", SystemPackage("zam-plugins", fedora: "lv2-zam-plugins")),
    ("http://calf.sourceforge.net/plugins/", SystemPackage("calf-plugins", fedora: "lv2-calf-plugins")),
    ("urn:dragonfly:", SystemPackage("dragonfly-reverb-lv2", fedora: "lv2-dragonfly-reverb")),
    (
      "http://guitarix.sourceforge.net/plugins/",
      SystemPackage("guitarix-lv2", fedora: "lv2-guitarix-plugins")
    ),
    (
      "http://invadarecords.com/plugins/lv2/",
      SystemPackage("invada-studio-plugins-lv2", fedora: "lv2-invada-plugins")
    ),
    ("http://eq10q.sourceforge.net/", SystemPackage("eq10q", fedora: "lv2-EQ10Q-plugins")),
    ("http://tomszilagyi.github.io/plugins/lv2/ir", SystemPackage("ir.lv2", fedora: "lv2-ir-plugins")),
    ("http://plugin.org.uk/swh-plugins/", SystemPackage("swh-lv2", fedora: "lv2-swh-plugins")),
    ("http://distrho.sf.net/plugins/", SystemPackage("dpf-plugins-lv2", fedora: "lv2-distrho-plugins")),
  ]
}
