import MediaKernel

/// What the owner wants of a recorder, and what the writer thread tells back. The recorder keeps it under a lock.
struct RecorderWish: Sendable {
  var settings: RecorderSettings
  var order = TapOrder()
  /// The serial of the last order that ends the file; 0 once the file is finished, or without one.
  var stopSerial = 0
  /// Whether an order that ends the file is to be carried out, also if newer orders have come.
  var isStopping: Bool { stopSerial > 0 }
  /// The serial of the newest order to prepare; 0 for none.
  var prepareSerial = 0

  // MARK: From the writer thread

  /// The file that is written; nil for none.
  var path: String?
  /// Frames in it.
  var frames = 0
}
