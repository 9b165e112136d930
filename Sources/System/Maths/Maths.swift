public import Glibc

// The mathematical functions of the C library, for all layers above. They are inlined, so that a call costs
// as much as in C.

@_transparent public func cos(_ angle: Double) -> Double { Glibc.cos(angle) }
@_transparent public func exp(_ x: Double) -> Double { Glibc.exp(x) }
@_transparent public func log10(_ x: Double) -> Double { Glibc.log10(x) }
@_transparent public func pow(_ base: Double, _ exponent: Double) -> Double { Glibc.pow(base, exponent) }
@_transparent public func sin(_ angle: Double) -> Double { Glibc.sin(angle) }
