/// Finds the links of a chained Ogg file: whole streams of pages, one behind the other, as `cat` and recorders of internet radio make them
/// (RFC 3533, section 4). libsndfile 1.2 and libFLAC 1.4 read the first link only.
struct OggLinks {
  private let file: FilePart

  /// The ranges of bytes of all links; nil for a file that is no chain, which is read as it is.
  ///
  /// - Parameter depth: with `wholeFile` the headers of all pages are read. Otherwise a chain is known only if its last page has another serial
  ///   number than the first one, which encoders choose by chance or by the second.
  static func find(_ descriptor: Int32, _ depth: SoundFileReader.Depth) -> [Range<Int>]? {
    let file = OggLinks(file: FilePart(descriptor))
    guard let first = file.page(at: 0), depth == .wholeFile || file.hasForeignEnd(first) else { return nil }
    let starts = file.starts
    guard starts.count > 1 else { return nil }
    return zip(starts, starts.dropFirst() + [file.file.size]).map { $0..<$1 }
  }

  private static let mark = Array("OggS".utf8)
  /// Bytes of the greatest header, and of the greatest page.
  private static let (largestHeader, largestPage) = (27 + 255, 27 + 255 + 255 * 255)

  /// The header of a page (RFC 3533, section 6).
  private struct Page {
    var serial: ArraySlice<UInt8>
    /// Whether a stream begins with it.
    var isFirst: Bool
    /// Of the whole page, in bytes.
    var length: Int

    /// - Parameter bytes: from the start of the page.
    init?(_ bytes: ArraySlice<UInt8>) {
      let start = bytes.startIndex
      guard bytes.count >= 27, bytes.starts(with: OggLinks.mark), bytes[start + 4] == 0, bytes[start + 5] < 8
      else { return nil }
      let sizes = bytes[(start + 27)...].prefix(Int(bytes[start + 26]))
      (serial, isFirst) = (bytes[start + 14..<start + 18], bytes[start + 5] & 2 != 0)
      length = 27 + sizes.count + sizes.reduce(0) { $0 + Int($1) }
    }
  }

  private func page(at place: Int) -> Page? { Page(file.bytes(at: place, count: Self.largestHeader)[...]) }

  /// Whether the last page is of another stream than the first one.
  private func hasForeignEnd(_ first: Page) -> Bool {
    let tail = file.bytes(at: max(0, file.size - Self.largestPage), count: Self.largestPage)
    let last = tail.indices.reversed().lazy.filter { tail[$0] == Self.mark[0] }
      .compactMap { Page(tail[$0...]) }.first
    return last.map { !$0.serial.elementsEqual(first.serial) } ?? false
  }

  /// Where links start: with the first of the pages that begin streams together.
  private var starts: [Int] {
    var (found, place, wasFirst) = ([Int](), 0, false)
    while place < file.size {
      guard let page = page(at: place) else {
        guard let next = nextPage(behind: place) else { break }
        place = next
        continue
      }
      if page.isFirst, !wasFirst { found.append(place) }
      (wasFirst, place) = (page.isFirst, place + page.length)
    }
    return found
  }

  /// Where a page begins behind bytes that are none; nil if none does within the length of two pages.
  private func nextPage(behind place: Int) -> Int? {
    let bytes = file.bytes(at: place + 1, count: 2 * Self.largestPage)
    return bytes.indices.first { bytes[$0] == Self.mark[0] && Page(bytes[$0...]) != nil }.map {
      place + 1 + $0
    }
  }
}
