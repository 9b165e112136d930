/// A value in a variable of a class that functions only look at.
///
/// Before a function is called with the value of such a variable, the compiler copies the value, because the function might change the
/// variable. It cannot copy this type, so the function borrows the value in its place.
@usableFromInline struct Held<Value>: ~Copyable {
  @usableFromInline var value: Value

  @inlinable init(value: consuming Value) { self.value = value }

  @inlinable borrowing func read<Result>(_ body: (Value) -> Result) -> Result { body(value) }
}
