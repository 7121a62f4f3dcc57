// The sizes that a link may have.
#pragma once

namespace tocsin::scene {

/// Metres. The rounding margin eta (docs/exact.md) of an avatar 10 km from the origin is about 1e-9
/// m; a radius must stay far above it, or no touch of that link could ever be proved.
inline constexpr double kMinLinkRadius = 1e-6;

/// Metres, for a radius in a model file: a larger one is a wrong unit. Links built from memory may
/// be larger.
inline constexpr double kMaxModelRadius = 10.0;

/// Metres, for each coordinate of an end point, and for a length, in a model file: a larger one is
/// a wrong unit.
inline constexpr double kMaxModelOffset = 100.0;

/// For EndPoint::times. This is a link's end ten bones away from the last joint.
inline constexpr double kMaxModelTimes = 10.0;

/// Metres, for each coordinate of any link's end point: larger values are noise. As for an
/// environment's vertices.
inline constexpr double kMaxLinkOffset = 1e6;

}  // namespace tocsin::scene
