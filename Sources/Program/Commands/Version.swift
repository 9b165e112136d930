/// The version of multiroute.
public enum Version {
  /// The version as shown by `multiroute --version` and `/system/info`.
  public static let current = "0.1.0"
}
