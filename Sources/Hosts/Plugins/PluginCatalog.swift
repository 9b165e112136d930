public import Effects
import SystemCalls

/// What is installed on this machine. No plugin's code runs.
public enum PluginCatalog {
  /// All plugins as JSON (`EffectList`), from a cache while no file of a bundle changes.
  ///
  /// - Parameter caches: the folder of the caches; nil for none. A cache that cannot be read or written is no fault.
  /// - Throws: `PluginError` if liblilv is missing.
  public static func list(caches: String?) throws(PluginError) -> [UInt8] {
    let cache = BundleCache("effects.json", in: caches)
    if let text = cache.text { return text }
    let (list, problems) = try LibraryErrors.collect { () throws(PluginError) in try read() }
    let text = EffectList(plugins: list, problems: problems).line
    cache.keep(text)
    return text
  }

  private static func read() throws(PluginError) -> [EffectPlugin] {
    let world = try PluginWorld()
    return world.plugins.map { world.summary(of: $0, world.ports(of: $0, rate: 48_000)) }
      .sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
  }

  /// The usual folder of the caches; nil for a user without a home.
  public static var usualCaches: String? {
    let folder = System.getenv("XDG_CACHE_HOME") ?? System.getenv("HOME").map { $0 + "/.cache" }
    return folder.map { $0 + "/multiroute" }
  }

  /// Some plugins with their controls, from a cache of those that were asked for before, while no file of a bundle changes.
  ///
  /// - Parameters:
  ///   - rate: in Hz; some plugins give ranges as parts of it.
  ///   - caches: the folder of the caches; nil for none.
  /// - Throws: `PluginError` if liblilv is missing.
  public static func describe(
    _ uris: [String], rate: Double, caches: String?
  ) throws(PluginError) -> EffectDescriptions {
    let cache = BundleCache("controls-\(Int(rate)).json", in: caches)
    var known =
      cache.text.flatMap { EffectDescriptions(bytes: $0) } ?? EffectDescriptions(found: [], missing: [])
    let old = Set(known.found.map(\.plugin.uri) + known.missing)
    let new = uris.filter { !old.contains($0) }
    if !new.isEmpty {
      let world = try PluginWorld()
      for uri in new {
        do throws(PluginError) {
          let plugin = try world.plugin(uri)
          known.found.append(world.description(of: plugin, world.ports(of: plugin, rate: rate)))
        } catch {
          known.missing.append(uri)
        }
      }
      cache.keep(known.line)
    }
    return EffectDescriptions(
      found: uris.compactMap { uri in known.found.first { $0.plugin.uri == uri } },
      missing: uris.filter(known.missing.contains))
  }
}

/// A file of what bundles say, which counts while no file of a bundle changes.
private struct BundleCache {
  private let path: String?
  private let key: [UInt8]

  /// - Parameter folder: nil for no cache.
  init(_ name: String, in folder: String?) {
    path = folder.map { "\($0)/\(name)" }
    key = folder == nil ? [] : Array("\(BundleKey.present)\n".utf8)
  }

  /// What was kept; nil if a bundle has changed since.
  var text: [UInt8]? {
    guard let path, let bytes = try? WholeFile.bytes(path), bytes.starts(with: key) else { return nil }
    return Array(bytes.dropFirst(key.count))
  }

  func keep(_ text: [UInt8]) {
    guard let path else { return }
    try? System.makeFolders(WholeFile.folder(of: path))
    try? WholeFile.replace(path, with: key + text, permissions: 0o644)
  }
}

/// A number that changes with every file of every bundle, and with this program, whose next build may read bundles otherwise.
enum BundleKey {
  static var present: String {
    var key = FNV()
    if let status = try? System.stat("/proc/self/exe") {
      key.add("\(status.size) \(status.changedNanoseconds)")
    }
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
