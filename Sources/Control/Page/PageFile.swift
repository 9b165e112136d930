import CPage
import Compression

/// One file of the page.
struct PageFile: Sendable {
  /// Its path on the web server, such as `/core/osc.js`.
  let path: String
  /// Its media type.
  let type: String
  let bytes: [UInt8]
  /// The same in a zlib stream, which HTTP calls `deflate`; nil if that is no shorter, or zlib is not installed.
  let packed: [UInt8]?
  /// Its entity tag, which changes with the content.
  let tag: String

  init(path: String, _ bytes: [UInt8]) {
    (self.path, self.bytes) = (path, bytes)
    type = Self.types[path.split(separator: ".").last ?? ""] ?? "application/octet-stream"
    let packed = try? ZlibStream.bytes(of: bytes)
    self.packed = packed.flatMap { $0.count < bytes.count ? $0 : nil }
    // FNV-1a is enough: the files are part of the program, so two of them have the same tag only by chance.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    tag = "\"\(String(hash, radix: 16))\""
  }

  private static let types: [Substring: String] = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "json": "application/manifest+json",
  ]

  /// All files: those in the program, and the lists of the subjects' modules and styles.
  static let all: [PageFile] = {
    var files: [PageFile] = []
    // The table is part of the program, so its pointers hold as long as that; its last row has no name.
    var row = mr_page_files()!
    while let name = row.pointee.name {
      let bytes = UnsafeBufferPointer(start: row.pointee.bytes, count: row.pointee.count)
      files.append(PageFile(path: "/\(String(cString: name))", Array(bytes)))
      row += 1
    }
    return files + [
      list("/elements.js", of: files, in: "/elements/") { "import \"\($0)\";\n" },
      list("/elements.css", of: files, in: "/style/") { "@import \"\($0)\";\n" },
    ]
  }()

  /// A file that imports each file of a folder, so that no other list must name a new one.
  private static func list(
    _ path: String, of files: [PageFile], in folder: String, line: (String) -> String
  ) -> PageFile {
    let imports = files.map(\.path).filter { $0.hasPrefix(folder) }.map(line)
    return PageFile(path: path, Array(imports.joined().utf8))
  }
}
