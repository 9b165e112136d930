package import SoundFiles

/// The sounds of the router's players, at the frames at which the devices receive them.
///
/// A player has no port at which its sound could be heard directly, so its sound comes from its file. The frame at which the file
/// began is found in the sound of a device. From then on not one sample may be missing.
package struct PlayedFiles {
  private var files: [Sound: [Float]] = [:]
  /// Frame times at which the files began, by leader.
  private var starts: [Sound: Int] = [:]
  /// The same before frames were lost: near the right times, because few frames are lost.
  private var doubtful: [Sound: Int] = [:]

  /// Frames that must be equal where a file is found.
  private static let piece = 256

  /// - Throws: `MediaError` if a file cannot be read.
  package init(folder: String) throws(MediaError) {
    for sound in Sound.allCases {
      guard let file = sound.file else { continue }
      let reader = try SoundFileReader(path: "\(folder)/\(file.name)")
      var samples: [Float] = []
      while case let more = reader.read(frames: 65_536)[file.channel], !more.isEmpty { samples += more }
      files[sound] = samples
    }
  }

  /// Whether it is known when the sound's file began.
  func knows(_ sound: Sound) -> Bool { starts[sound.leader] != nil }

  /// Forgets when files began: they were begun anew or paused.
  mutating func forget(_ sounds: [Sound]) {
    for sound in sounds { (starts[sound.leader], doubtful[sound.leader]) = (nil, nil) }
  }

  /// Notes that frames were lost, so that all files must be found again.
  mutating func noteLoss() {
    doubtful.merge(starts) { $1 }
    starts = [:]
  }

  /// The samples of a sound from a frame time; silence while it is not known when its file began.
  func samples(of sound: Sound, from frame: Int, count: Int) -> [Float] {
    guard let start = starts[sound.leader], let file = files[sound], !file.isEmpty else {
      return Array(repeating: 0, count: count)
    }
    let place = ((frame - start) % file.count + file.count) % file.count
    return (0..<count).map { file[(place + $0) % file.count] }
  }

  /// Finds a sound that leads in the samples of a device. Music repeats itself: after a loss the place counts that is nearest to the one before.
  ///
  /// - Parameters:
  ///   - samples: they contain the sound alone, without a gain.
  ///   - frame: the frame time of the first one.
  /// - Returns: whether it was found.
  mutating func locate(_ sound: Sound, in samples: [Float], at frame: Int) -> Bool {
    guard let file = files[sound], file.count > Self.piece, samples.count > Self.piece else { return false }
    // The loudest sample is in few places of a file.
    let range = 0..<(samples.count - Self.piece)
    guard let begin = range.max(by: { abs(samples[$0]) < abs(samples[$1]) }), samples[begin] != 0 else {
      return false
    }
    let limit = abs(samples[begin]) * 1e-4
    let places = file.withUnsafeBufferPointer { file in
      samples.withUnsafeBufferPointer { samples in
        file.indices.filter { place in
          abs(file[place] - samples[begin]) <= limit
            && (1..<Self.piece).allSatisfy {
              abs(file[(place + $0) % file.count] - samples[begin + $0]) <= limit
            }
        }
      }
    }
    let found = places.map { frame + begin - $0 }
    let start = doubtful[sound].flatMap { before in
      found.min { distance($0, before, in: file) < distance($1, before, in: file) }
    }
    guard let start = start ?? found.first else { return false }
    starts[sound] = start
    return true
  }

  /// The frames between two starts of a file that repeats.
  private func distance(_ one: Int, _ other: Int, in file: [Float]) -> Int {
    let frames = abs(one - other) % file.count
    return min(frames, file.count - frames)
  }
}
