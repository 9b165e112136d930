internal import MixLoops
internal import MixLoopsV3

extension KernelState {
  /// Computes the amplitudes of a list of ramps after `frames` more frames.
  @_noLocks
  func compute(_ list: UnsafeMutablePointer<RampList>, _ curve: Curve, _ frames: Int32) {
    if list.pointee.isShared {
      list.pointee.sharedElapsed &+= frames
      let way = Float(list.pointee.sharedElapsed) * list.pointee.sharedInverse
      computeShared(list, curve, way < 1 ? way : 1)
    } else {
      computeEach(list, curve, frames)
    }
  }

  /// Computes ramps that began together and have the same length.
  /// - Parameter way: the part of their time that has passed, 0 to 1.
  @_noLocks
  private func computeShared(_ list: UnsafeMutablePointer<RampList>, _ curve: Curve, _ way: Float) {
    let (count, start) = (list.pointee.count, list.pointee.starts)
    let (span, values) = (list.pointee.spans, list.pointee.values)
    let isEased =
      switch curve {
      case .raisedCosine, .sCurve, .equalPower: true
      case .decibels, .fader, .linear: false
      }
    let eased = isEased ? MixLoops.easedWay(way) : way
    switch (curve, newer) {
    case (.raisedCosine, true), (.linear, true):
      MixLoopsV3.setAmplitudes(count, way: eased, start: start, span: span, values: values)
    case (.raisedCosine, false), (.linear, false):
      MixLoops.setAmplitudes(count, way: eased, start: start, span: span, values: values)
    case (.decibels, true):
      MixLoopsV3.setDecibels(count, way: eased, start: start, span: span, values: values)
    case (.decibels, false):
      MixLoops.setDecibels(count, way: eased, start: start, span: span, values: values)
    case (.fader, true), (.sCurve, true):
      MixLoopsV3.setPositions(count, way: eased, start: start, span: span, values: values)
    case (.fader, false), (.sCurve, false):
      MixLoops.setPositions(count, way: eased, start: start, span: span, values: values)
    case (.equalPower, true):
      MixLoopsV3.setPowers(count, way: eased, start: start, span: span, values: values)
    case (.equalPower, false):
      MixLoops.setPowers(count, way: eased, start: start, span: span, values: values)
    }
  }

  @_noLocks
  private func computeEach(_ list: UnsafeMutablePointer<RampList>, _ curve: Curve, _ frames: Int32) {
    let (count, elapsed, inverse) = (list.pointee.count, list.pointee.elapsed, list.pointee.inverses)
    let (start, span, values) = (list.pointee.starts, list.pointee.spans, list.pointee.values)
    switch (curve, newer) {
    case (.raisedCosine, true):
      MixLoopsV3.advanceRaisedCosine(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.raisedCosine, false):
      MixLoops.advanceRaisedCosine(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.decibels, true):
      MixLoopsV3.advanceDecibels(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.decibels, false):
      MixLoops.advanceDecibels(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.fader, true):
      MixLoopsV3.advanceFader(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.fader, false):
      MixLoops.advanceFader(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.linear, true):
      MixLoopsV3.advanceLinear(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.linear, false):
      MixLoops.advanceLinear(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.sCurve, true):
      MixLoopsV3.advanceSCurve(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.sCurve, false):
      MixLoops.advanceSCurve(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.equalPower, true):
      MixLoopsV3.advancePower(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    case (.equalPower, false):
      MixLoops.advancePower(
        count, frames: frames, elapsed: elapsed, inverse: inverse, start: start, span: span, values: values)
    }
  }
}
