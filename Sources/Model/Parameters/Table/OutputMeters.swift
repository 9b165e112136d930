import SessionModel

/// The meters that outputs ask for.
extension Table {
  static let meterChoice = Parameter(
    "/output/<o>/meters", .names(OutputMeter.allCases.map(\.rawValue)), scope: .process, key: "meters",
    output.value(\.meters) { .meters($0) },
    "Meters beside the peak, at /meter/output/<o>; `none` costs nothing."
  )

  @_optimize(none)
  static var outputMeters: [Parameter] {
    MeterValue.allCases.map {
      Parameter(
        "/meter/output/<o>/\($0.rawValue)", .meter(channels: true), unit: $0.unit, .surface(.meter),
        $0.summary)
    } + [
      Parameter(
        "/meter/output/<o>/ppm/<n>", .meter(channels: false), .surface(.meter),
        "One channel, 0..1 for -60..0 dBFS."),
      Parameter(
        "/meter/output/<o>/reset", .trigger,
        .action { request throws(SessionError) in
          .port(.output, try request.target.id(of: \.output), .resetMeters)
        }, "Begins loudness/integrated and truePeakMax anew."),
    ]
  }

  /// The values of outputs' meters by address.
  static let meterValues = Dictionary(
    uniqueKeysWithValues: MeterValue.allCases.map { ("/meter/output/<o>/\($0.rawValue)", $0) })
}

extension MeterValue {
  fileprivate var unit: String {
    switch self {
    case .ppm, .rms: "dBFS"
    case .truePeak, .highestTruePeak: "dBTP"
    case .momentary, .shortTerm, .integrated: "LUFS"
    case .correlation: ""
    }
  }

  fileprivate var summary: String {
    switch self {
    case .ppm: "PPM per channel (IEC 60268-10, type IIa); a steady sine reads its peak."
    case .rms: "RMS of 0.3 s per channel; a sine reads 3 dB below its peak."
    case .truePeak: "True peak per channel (BS.1770)."
    case .highestTruePeak: "The highest true peak since the reset."
    case .momentary: "Momentary loudness, 0.4 s (EBU R 128)."
    case .shortTerm: "Short-term loudness, 3 s."
    case .integrated: "Integrated loudness since the reset."
    case .correlation: "Correlation over 0.3 s: 1 alike, 0 unlike or silent, -1 opposite."
    }
  }
}
