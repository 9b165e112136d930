import CVersion

/// The version of multiroute: the line of `packaging/VERSION`, from which the packages have theirs.
public enum Version {
  /// The version as shown by `multiroute --version`, `/system/version` and `/system/info`.
  public static let current = String(String(cString: mr_version()).prefix { !$0.isWhitespace })
}
