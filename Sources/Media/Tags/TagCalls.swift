import CTags
import SystemCalls

/// All calls into `CTagLib`, by the header `CTags`. No other file calls the library, which is loaded for the first tags.
enum TagCalls {
  /// The system finds it by the paths that this program is linked with: beside the program, where a build has it, and in
  /// `../lib/multiroute`, where an installation has it.
  static let library = DynamicLibrary.functions(
    mr_tags(), mr_tags_names(), of: .tags)

  typealias Property = (_ name: String, _ value: String) -> Void
  typealias Picture = (_ kind: Int, _ type: String, _ bytes: () -> [UInt8]) -> Void

  /// What the headers say about the sound.
  struct Sound {
    var seconds: Double
    var hasPicture: Bool
  }

  /// The receiver's closures, while `read` runs.
  private struct Receiver {
    var property: Property
    var picture: Picture?
  }

  static func read(
    _ descriptor: Int32, _ budget: UInt64, property: @escaping Property = { _, _ in },
    picture: Picture? = nil
  ) throws(TagError) -> Sound {
    let calls: mr_tags
    do throws(DynamicLibrary.Missing) { calls = try library.get() } catch { throw .missing(error) }
    var sound = mr_tags_sound()
    var receiver = Receiver(property: property, picture: picture)
    let result = withUnsafeMutablePointer(to: &receiver) { context in
      var receiving = mr_tags_receiver(
        context: context,
        property: { context, name, value in
          guard let context, let name, let value else { return }
          context.assumingMemoryBound(to: Receiver.self).pointee.property(
            String(cString: name), String(cString: value))
        },
        picture: picture == nil
          ? nil
          : { context, kind, type, bytes, count in
            guard let context, let type, let bytes else { return }
            context.assumingMemoryBound(to: Receiver.self).pointee.picture?(
              Int(kind), String(cString: type), { Array(UnsafeBufferPointer(start: bytes, count: count)) })
          })
      return calls.mr_tags_read(descriptor, budget, &receiving, &sound)
    }
    switch result {
    case MR_TAGS_READ: return Sound(seconds: sound.seconds, hasPicture: sound.has_picture)
    case MR_TAGS_UNKNOWN: throw .unknown
    default: throw .damaged
    }
  }
}
