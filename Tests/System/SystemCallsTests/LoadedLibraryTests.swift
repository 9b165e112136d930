import TemporaryFolders
import Testing

@testable import SystemCalls

@Suite("Libraries under the names of the distributions")
struct LoadedLibraryTests {
  /// Lines of os-release(5), as the distributions publish them.
  private static let releases: [(lines: String, Distribution?)] = [
    ("ID=debian\nVERSION_ID=\"12\"\nVERSION_CODENAME=bookworm", .debian12),
    ("ID=debian\nVERSION_ID=\"13\"\nVERSION_CODENAME=trixie", .debian13),
    ("ID=debian\nVERSION_CODENAME=forky", .debian13),
    ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\nVERSION_CODENAME=virginia\nUBUNTU_CODENAME=jammy", .ubuntu22),
    ("ID=ubuntu\nID_LIKE=debian\nVERSION_ID='24.04'\nUBUNTU_CODENAME=noble", .ubuntu24),
    ("ID=ubuntu\nID_LIKE=debian\nUBUNTU_CODENAME=questing", .debian13),
    ("ID=fedora\nVERSION_ID=43", .fedora),
    ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"", .fedora),
    ("ID=arch", nil), ("", nil), ("=\nID\n==", nil),
  ]

  @Test("A distribution is known by its release", arguments: releases)
  func distribution(lines: String, expected: Distribution?) {
    #expect(Distribution(release: lines.split(separator: "\n")) == expected)
  }

  @Test("The advice names the package of the distribution that runs")
  func advice() {
    let flac = LoadedLibrary.flac.package
    #expect(flac.advice(on: .debian12) == "install the package libflac12")
    #expect(flac.advice(on: .debian13) == "install the package libflac14")
    #expect(flac.command(on: .fedora) == "sudo dnf install flac-libs")
    #expect(flac.advice(on: nil).contains("the package libflac14 of Debian"))
  }

  @Test("A library of an unknown version is refused by name")
  func unknown() throws {
    let folder = try TemporaryFolder()
    for file in ["libFLAC.so.99", "libFLAC++.so.11", "libFLAC.so.14.0.0", "libFLAC.so"] {
      try folder.write("", to: file)
    }
    let end = ": cannot open shared object file: No such file or directory"
    let reasons = ["libFLAC.so.12\(end)", "libFLAC.so.14\(end)"]
    #expect(
      MissingFiles(reasons, folders: [folder.path]).description
        == "libFLAC.so.99 is of a version that is not known here, which knows libFLAC.so.12 and libFLAC.so.14"
    )
    #expect(
      MissingFiles(reasons, folders: []).description
        == "one of libFLAC.so.12 or libFLAC.so.14 is needed, and none is there")
    #expect(
      MissingFiles(["libFLAC.so.12\(end)", "it is damaged"], folders: []).description
        == "libFLAC.so.12 is missing; it is damaged")
  }

  @Test("What was not tried is a name of some library, and one of several")
  func untried() {
    let others = LoadedLibrary.all.filter { $0.files.count > 1 }
    #expect(LoadedLibrary.untried.isSubset(of: others.flatMap(\.files)))
  }

  @Test(
    "Every library is installed here, and its package is the one that has it", arguments: LoadedLibrary.all)
  func installed(library: LoadedLibrary) throws {
    let file = try DynamicLibrary.load(library)
    #expect(library.files.contains(file) && !LoadedLibrary.untried.contains(file))
  }
}
