// The fingerprint shows every change of an environment that its tree depends on.
#include "scene/room/fingerprint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/scenes/random_scene.h"

namespace tocsin::scene::fingerprint_test {
namespace {

using test::random_cloud;

std::uint64_t hash_of(const std::string& text, std::uint64_t seed = 0) {
  return hash_bytes(std::as_bytes(std::span(text)), seed);
}

TEST(Fingerprint, ShowsEveryBitOfEveryVertexAndIndex) {
  const Environment room = random_cloud(60);
  const std::vector<Vec3f> vertices(room.vertices().begin(), room.vertices().end());
  const std::vector<TriangleIndices> triangles(room.triangles().begin(), room.triangles().end());
  const auto hash = [](const std::vector<Vec3f>& v, const std::vector<TriangleIndices>& t) {
    return hash_bytes(std::as_bytes(std::span(t)), hash_bytes(std::as_bytes(std::span(v))));
  };
  const std::uint64_t before = fingerprint(room);
  ASSERT_EQ(before, hash(vertices, triangles));
  std::vector<std::uint64_t> all{before};
  const auto flip_all = [&](auto items) {
    constexpr bool kVertices = std::is_same_v<decltype(items), std::vector<Vec3f>>;
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(items));
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      const auto mask = static_cast<std::byte>(1U << bit % 8);
      bytes[bit / 8] ^= mask;
      if constexpr (kVertices) {
        all.push_back(hash(items, triangles));
      } else {
        all.push_back(hash(vertices, items));
      }
      bytes[bit / 8] ^= mask;
    }
  };
  flip_all(vertices);
  flip_all(triangles);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
}

TEST(Fingerprint, ShowsOrderLengthAndWhichListANumberIsIn) {
  const Environment room = random_cloud(60);
  std::vector<std::uint64_t> all{fingerprint(room), fingerprint(Environment()),
                                 fingerprint(random_cloud(61)), fingerprint(random_cloud(60, 2))};
  const auto with = [&](const std::function<void(ObjectMesh&)>& change) {
    ObjectMesh mesh{"x",
                    {room.vertices().begin(), room.vertices().end()},
                    {room.triangles().begin(), room.triangles().end()}};
    change(mesh);
    const Result<Environment> made = Environment::create({std::move(mesh)});
    ASSERT_TRUE(made.ok());
    all.push_back(fingerprint(*made));
  };
  for (std::size_t i = 1; i < 60; ++i) {
    with([i](ObjectMesh& m) { std::swap(m.vertices[0], m.vertices[i]); });
    with([i](ObjectMesh& m) { std::swap(m.triangles[0], m.triangles[i]); });
    // Two signs: the top bits of words 64 bytes or a multiple of it apart share a lane.
    with([i](ObjectMesh& m) { m.vertices[0].x *= -1.0F, m.vertices[i].x *= -1.0F; });
  }
  with([](ObjectMesh& m) { std::swap(m.triangles[5][0], m.triangles[5][1]); });
  with([](ObjectMesh& m) { m.triangles.push_back({0, 0, 0}); });
  with([](ObjectMesh& m) { m.vertices.push_back({0, 0, 0}); });
  with([](ObjectMesh& m) { m.vertices[0] = {0.0F, 1.0F, 2.0F}; });
  with([](ObjectMesh& m) { m.vertices[0] = {-0.0F, 1.0F, 2.0F}; });
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
  with([](ObjectMesh& m) { m.name = "another"; });
  EXPECT_EQ(all.back(), fingerprint(room));
}

TEST(Fingerprint, OfZerosTellsTheirNumber) {
  std::vector<std::uint64_t> all;
  for (std::size_t size = 0; size < 300; ++size) {
    all.push_back(hash_of(std::string(size, '\0')));
    all.push_back(hash_of(std::string(size, '\0'), 1));
    all.push_back(hash_of(std::string(size + 1, '\xFF')));
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
}

TEST(Fingerprint, ScattersBits) {
  // One bit of 200 bytes turns 32 bits of the hash on average; the least and most seen of so many
  // draws of 64 fair coins lie within 10 and 54 but for once in 10^6.
  const std::string text = [] {
    std::string out;
    for (int i = 0; i < 200; ++i) out += static_cast<char>(i * 37);
    return out;
  }();
  const std::uint64_t before = hash_of(text);
  double sum = 0.0;
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string other = text;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << bit % 8));
    const int turned = std::popcount(before ^ hash_of(other));
    EXPECT_GE(turned, 10) << bit;
    EXPECT_LE(turned, 54) << bit;
    sum += turned;
  }
  EXPECT_NEAR(sum / static_cast<double>(text.size() * 8), 32.0, 1.0);
}

}  // namespace
}  // namespace tocsin::scene::fingerprint_test
