// A film as a text file of USD.
#pragma once

#include <string>

#include "tocsin/result.h"
#include "view/film/film.h"

namespace tocsin::view {

/// Writes a film as a .usda, whole or not at all: metres, Y up; a time code is a frame of the first
/// take, and code 0 is the check's second 0; framesPerSecond, for players, is whole where the rate
/// nearly is. Source: Pixar, "USD: Usda File Format", and the
/// schemas UsdGeom of OpenUSD 23.
///
/// Figures, joints, links, objects and marks are as in write_film_glb(); links are exact capsules
/// and spheres, those with a shape meshes. What holds has two samples at each jump, kUsdJump time
/// codes apart, as a reader goes straight from one to the next. Errors (kResource): it cannot be
/// written.
Status write_film_usda(const Film& film, const std::string& file);

/// Time codes. Less than a hundredth of a microsecond at a thousand frames a second.
inline constexpr double kUsdJump = 1e-6;

}  // namespace tocsin::view
