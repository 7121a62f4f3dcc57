// Pairs of meshes that cost a search of two trees the most, for tests and bench_shapes: no node of
// either proves much. Made by numbers, no files.
#pragma once

#include <cstddef>

#include "selftest/scenes/moving_meshes.h"

namespace tocsin::selftest {

/// Two combs in each other, one step. Teeth are triangles, side by side along x; those of the
/// second hang between those of the first, each turned a little about its middle.
struct Combs {
  std::size_t teeth = 10'000;  ///< of each
  double way = 0.0;            ///< how far the second goes along x in the step, metres
};
MeshScene two_combs(const Combs& combs);
/// So far the second comb can go until all of its teeth touch at once, metres.
double gap_of_combs();

/// Two flat sheets in one plane that lie in each other and slide, one step: all that overlaps is
/// undecided from the start. 2 rows^2 triangles each.
MeshScene two_sheets(int rows);

/// Two clouds of triangles in one cube of 1 m, one of which turns a little in one step. Triangles
/// are `size` of the mean distance of neighbours: at 0.01 hardly any touch in the step, at 1 many
/// do from the start.
struct Soups {
  std::size_t triangles = 1'000'000;  ///< of each
  double size = 0.01;
};
MeshScene two_soups(const Soups& soups);

}  // namespace tocsin::selftest
