public import Parameters
public import Queues
public import SessionModel

extension Surface {
  /// Work with the media folders and the music library, as a client's errand.
  public enum MediaJob: Equatable, Sendable {
    /// List songs that a query finds.
    case find(String, PageRequest)
    /// List songs or collections by title.
    case list(LibraryGroup, PageRequest)
    /// Look through the media folders again.
    case scan
    /// Write the items of a queue as a playlist of this name.
    case save([QueueItem], as: String)
    /// List the recordings.
    case recordings(PageRequest)
    /// Delete a recording.
    case delete(recording: String, of: RecorderID)
    /// Control the player of another program that played last.
    case foreign(RemoteVerb)
  }

  /// A part of a list.
  public struct PageRequest: Equatable, Sendable {
    public var start: Int
    public var count: Int

    /// The usual and the greatest number of entries of one page.
    static let (usual, most) = (100, 1_000)

    /// Reads `[i from [i count]]`.
    /// - Throws: `SessionError` badType, badValue or outOfRange.
    init(_ arguments: Arguments, at index: Int) throws(SessionError) {
      func number(_ index: Int, _ usual: Int, _ range: ClosedRange<Int>) throws(SessionError) -> Int {
        guard arguments.all.count > index else { return usual }
        let number = try arguments.number(at: index).rounded()
        guard let whole = Int(exactly: number), range.contains(whole) else {
          throw SessionError(
            .outOfRange, "\(number) is outside \(range.lowerBound) to \(range.upperBound)")
        }
        return whole
      }
      start = try number(index, 0, 0...1_000_000_000)
      count = try number(index + 1, Self.usual, 1...Self.most)
    }
  }
}
