/// A notification with its serial number, by which a listener sees whether it missed one.
public struct NumberedNotification: Equatable, Sendable {
  /// 1 for the first notification of a run; the next is one more.
  public var serial: Int32
  public var notification: Notification

  public init(serial: Int32, _ notification: Notification) {
    (self.serial, self.notification) = (serial, notification)
  }
}
