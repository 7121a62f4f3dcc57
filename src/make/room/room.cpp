// make_room: searches for the grain that gives the wanted number of triangles, then builds.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "make/make.h"
#include "make/random.h"
#include "make/room/room_piece.h"

namespace tocsin {
namespace {

constexpr std::uint64_t kLeastTriangles = 10'000;
constexpr std::uint64_t kMostTriangles = 10'000'000;
/// Metres. At the coarse end every piece is as plain as it gets, at the fine end a house has over
/// 10^8 triangles.
constexpr double kCoarsest = 1e4;
constexpr double kFinest = 2e-4;
/// Halvings of the grain's range, by its geometric mean: 5 10^7 becomes 1 + 2 10^-11.
constexpr int kHalvings = 40;

/// Counts or builds a piece. Its number in the list decides how its segments are rounded.
std::uint64_t shape(const make::Piece& piece, std::size_t number, make::Sculptor& sculptor) {
  if (piece.rank > sculptor.fullness()) return 0;
  sculptor.start(number);
  const std::uint64_t before = sculptor.triangles();
  piece.shape(sculptor);
  return sculptor.triangles() - before;
}

std::uint64_t count(const std::vector<make::Piece>& pieces, double grain) {
  make::Sculptor sculptor(grain);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) total += shape(pieces[i], i, sculptor);
  return total;
}

/// Two grains next to each other: the first `split` pieces get the finer one.
struct Grains {
  double fine = kFinest;
  double coarse = kCoarsest;
  std::size_t split = 0;

  [[nodiscard]] double of(std::size_t piece) const { return piece < split ? fine : coarse; }
};

/// The grains whose count is nearest to what is wanted. Counts fall as the grain grows; where many
/// pieces change at one grain, some of them do and some do not.
Grains find_grains(const std::vector<make::Piece>& pieces, std::uint64_t wanted) {
  Grains grains;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = std::sqrt(grains.fine * grains.coarse);
    (count(pieces, middle) > wanted ? grains.fine : grains.coarse) = middle;
  }
  const auto off = [&](std::uint64_t n) { return n > wanted ? n - wanted : wanted - n; };
  make::Sculptor fine(grains.fine);
  make::Sculptor coarse(grains.coarse);
  std::uint64_t total = count(pieces, grains.coarse);
  std::uint64_t best = off(total);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    total = total - shape(pieces[i], i, coarse) + shape(pieces[i], i, fine);
    if (off(total) >= best) continue;
    best = off(total);
    grains.split = i + 1;
  }
  return grains;
}

Result<Environment> build(const RoomRecipe& recipe) {
  const make::House house = make::furnish_house(recipe.seed);
  const std::vector<make::Piece>& pieces = house.pieces.list();
  const Grains grains = find_grains(pieces, recipe.triangles);
  std::vector<ObjectMesh> objects;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    ObjectMesh mesh;
    make::Sculptor sculptor(grains.of(i), mesh);
    if (shape(pieces[i], i, sculptor) == 0) continue;
    mesh.name = pieces[i].name;
    mesh.vertices.shrink_to_fit();
    mesh.triangles.shrink_to_fit();
    objects.push_back(std::move(mesh));
  }
  return Environment::create(std::move(objects));
}

}  // namespace

Result<Environment> make_room(const RoomRecipe& recipe) {
  if (recipe.triangles < kLeastTriangles || recipe.triangles > kMostTriangles) {
    return {ErrorCode::kUsage, fmt::format("a room is made of {} to {} triangles, not of {}",
                                           kLeastTriangles, kMostTriangles, recipe.triangles)};
  }
  try {
    return build(recipe);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource,
            fmt::format("out of memory while making a room of {} triangles", recipe.triangles)};
  } catch (const std::exception& error) {
    return {ErrorCode::kResource, fmt::format("making a room: {}", error.what())};
  }
}

}  // namespace tocsin
