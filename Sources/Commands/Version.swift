/// Which multiroute this is.
public enum Version {
  /// As in `multiroute --version` and `/system/info`.
  public static let current = "0.1.0"
}
