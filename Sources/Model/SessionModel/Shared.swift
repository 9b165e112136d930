/// A value behind one reference, which copies share until one of them changes it.
///
/// All functions are inlinable, as those of `Registry` are and for the same reason.
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

  /// Unchecked: the value changes only while a single reference to the box exists.
  @usableFromInline final class Box: @unchecked Sendable {
    @usableFromInline @exclusivity(unchecked) var value: Value
    @inlinable init(_ value: Value) { self.value = value }
  }
}
