// A film as data of a page: what its 3D view draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "view/film/film.h"

namespace tocsin::view {

/// Triangles of a room that a page holds: some 3 MB. A larger room is cut to what is near.
inline constexpr std::size_t kMostPageTriangles = 160'000;
/// Bytes of poses that a page holds, before they become text: half as much again as text.
inline constexpr std::size_t kMostPoseBytes = 6'000'000;
/// The wanted difference between what a page draws and the proved motion, metres: less than a
/// pixel, an arm's length away.
inline constexpr double kPageTolerance = 2e-4;

struct PageScene {
  std::string json;
  std::vector<std::string> left_out;  ///< sentences: what the page does not show
  /// How far a link's end may be drawn from where its sample has it, as poses are rounded; metres.
  double rounding = 0.0;
};

/// The scene of a film with its room. A pose is seven 16-bit numbers: a place in the figure's box,
/// and a turn. `touched`: triangles (in the room) that are kept however far. JSON that is ASCII but
/// for names, and no HTML.
PageScene page_scene(const Film& film, std::span<const std::uint32_t> touched);

/// Bytes of a figure's poses with so many samples.
std::size_t pose_bytes(const Avatar& avatar, std::size_t samples);

}  // namespace tocsin::view
