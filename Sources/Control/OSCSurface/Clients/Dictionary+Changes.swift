extension Dictionary {
  /// Changes each value in its place. For the few values of clients and groups, a look-up by key and a copy would cost more than the change.
  mutating func changeValues(_ body: (inout Value) -> Void) {
    var index = values.startIndex
    while index != values.endIndex {
      body(&values[index])
      values.formIndex(after: &index)
    }
  }
}
