import MediaKernel

/// What the owner wants of a recorder, and what the writer thread tells back. The recorder keeps it under a lock.
struct RecorderWish: Sendable {
  var settings: RecorderSettings
  var order = TapOrder()
  /// The serial of the order that ends the file; 0 for none.
  var stopSerial = 0
  /// Whether the newest order ends the file.
  var isStopping: Bool { stopSerial > 0 && stopSerial == order.serial }
  /// The serial of the newest order to prepare; 0 for none.
  var prepareSerial = 0

  // MARK: From the writer thread

  /// The file that is written; nil for none.
  var path: String?
  /// Frames in it.
  var frames = 0
}
