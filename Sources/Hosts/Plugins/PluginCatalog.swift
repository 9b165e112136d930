public import Effects
import SystemCalls
import Version

/// What is installed on this machine. No plugin's code runs.
public enum PluginCatalog {
  /// All plugins as JSON (`EffectList`), from a cache while no file of a bundle changes.
  ///
  /// - Parameter cache: the path of the cache's file; nil for none. A cache that cannot be read or written is no fault.
  /// - Throws: `PluginError` if liblilv is missing.
  public static func list(cache: String?) throws(PluginError) -> [UInt8] {
    let key = Array("\(BundleKey.present)\n".utf8)
    if let cache, let bytes = try? WholeFile.bytes(cache), bytes.starts(with: key) {
      return Array(bytes.dropFirst(key.count))
    }
    let (list, problems) = try LibraryErrors.collect { () throws(PluginError) in try read() }
    let text = EffectList(plugins: list, problems: problems).line
    if let cache {
      try? System.makeFolders(WholeFile.folder(of: cache))
      try? WholeFile.replace(cache, with: key + text, permissions: 0o644)
    }
    return text
  }

  private static func read() throws(PluginError) -> [EffectPlugin] {
    let world = try PluginWorld()
    return world.plugins.map { world.summary(of: $0, world.ports(of: $0, rate: 48_000)) }
      .sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
  }

  /// The usual path of the cache's file; nil for a user without a home.
  public static var usualCache: String? {
    let folder = System.getenv("XDG_CACHE_HOME") ?? System.getenv("HOME").map { $0 + "/.cache" }
    return folder.map { $0 + "/multiroute/effects.json" }
  }

  /// Some plugins with their controls.
  ///
  /// - Parameter rate: in Hz; some plugins give ranges as parts of it.
  /// - Throws: `PluginError` if liblilv is missing.
  public static func describe(_ uris: [String], rate: Double) throws(PluginError) -> EffectDescriptions {
    let world = try PluginWorld()
    var descriptions = EffectDescriptions(found: [], missing: [])
    for uri in uris {
      do throws(PluginError) {
        let plugin = try world.plugin(uri)
        descriptions.found.append(world.description(of: plugin, world.ports(of: plugin, rate: rate)))
      } catch {
        descriptions.missing.append(uri)
      }
    }
    return descriptions
  }
}

/// A number that changes with every file of every bundle, and with this program's version.
enum BundleKey {
  static var present: String {
    var key = FNV()
    key.add(Version.current)
    for folder in folders {
      key.add(folder)
      for bundle in (try? System.readdir(folder)) ?? [] {
        let path = "\(folder)/\(bundle)"
        key.add(bundle)
        for file in (try? System.readdir(path)) ?? [] {
          guard let status = try? System.stat("\(path)/\(file)") else { continue }
          key.add("\(file) \(status.size) \(status.changedNanoseconds)")
        }
      }
    }
    return String(key.value, radix: 16)
  }

  /// Where Debian's liblilv looks for bundles.
  private static var folders: [String] {
    #if arch(x86_64)
      let machine = "x86_64-linux-gnu"
    #else
      let machine = "aarch64-linux-gnu"
    #endif
    let path =
      System.getenv("LV2_PATH") ?? "~/.lv2:/usr/lib/\(machine)/lv2:/usr/lib/lv2:/usr/local/lib/lv2"
    let home = System.getenv("HOME") ?? ""
    return path.split(separator: ":").map { $0.hasPrefix("~") ? home + $0.dropFirst() : String($0) }
  }

  /// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv).
  private struct FNV {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ text: String) {
      for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
      value = (value ^ 0xff) &* 0x100_0000_01b3
    }
  }
}

/// What liblilv says of broken bundles: it writes that to standard error.
enum LibraryErrors {
  /// Runs `body`, and returns the lines that were written to standard error meanwhile. No other thread may write to it.
  static func collect<Result>(
    _ body: () throws(PluginError) -> Result
  ) throws(PluginError) -> (Result, lines: [String]) {
    guard let file = try? System.tmpfile(), let usual = try? System.dup(System.standardError) else {
      return (try body(), [])
    }
    defer {
      System.close(file)
      System.close(usual)
    }
    try? System.dup2(file, as: System.standardError)
    defer { try? System.dup2(usual, as: System.standardError) }
    let result = try body()
    let bytes = (try? System.pread(file, count: 1 << 16, at: 0)) ?? []
    var lines: [String] = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    where !lines.contains(String(line)) {
      lines.append(String(line))
    }
    return (result, lines)
  }
}
