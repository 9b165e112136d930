/// A value behind one reference, which copies share until one of them changes it.
///
/// All of it is inlinable, as `Registry` is, and for the same reason.
public struct Shared<Value: Equatable & Sendable>: Equatable, Sendable {
  @usableFromInline var box: Box

  @inlinable public init(_ value: Value) { box = Box(value) }

  @inlinable public var value: Value {
    _read { yield box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }

  @inlinable public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.value == right.box.value
  }

  /// Changed only while one has it.
  @usableFromInline final class Box: @unchecked Sendable {
    @usableFromInline @exclusivity(unchecked) var value: Value
    @inlinable init(_ value: Value) { self.value = value }
  }
}
