// Limits that client, server and sessions check.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tocsin::wire {

/// Ids of frames, steps and ticks are below: doubles count exactly up to here (LiveMotion's ticks).
inline constexpr std::uint64_t kIdLimit = std::uint64_t{1} << 53U;

/// Metres that a session may grow its links' radii by. Beyond this most rooms are within reach of
/// every link, and every step has a contact with everything.
inline constexpr double kMostMargin = 10.0;

/// Metres within which a session may ask for distances, and how many a report tells at most.
/// Larger: a pose among furniture takes a worker's time for milliseconds, and reports grow.
inline constexpr double kMostNearest = 2.0;
inline constexpr std::uint32_t kMostDistances = 1024;

/// Seconds that a session may look ahead. Larger: nobody keeps a velocity for so long, and the
/// volume that is checked grows.
inline constexpr double kMostLookahead = 1.0;

/// Triangles of all shapes in one message. They are made before a session is admitted: some 10 MB
/// and 50 ms. Larger: openings that are refused cost more. Smaller: more meshes are loaded before.
inline constexpr std::size_t kMostInlineTriangles = 16'384;

}  // namespace tocsin::wire
