// The visibility test: what touches is kept, most of what does not is dropped, and every way to ask
// answers the same.
#include "gpu/gl/visibility/visibility.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gpu/gl/gl_test.h"
#include "gpu/gl/visibility/device_room.h"
#include "gpu/gl/visibility/visibility_passes.h"
#include "gpu/gl/visibility/visibility_scene.h"

namespace tocsin::test::visibility_test {
namespace {

constexpr gl::Seen kOnlyMeets = gl::kMeets | gl::kMeets << 3 | gl::kMeets << 6;

struct Answer {
  std::vector<gl::Seen> seen;
  gl::VisibilityCounters counters;
};

class Visibilities : public GlTest {
 protected:
  [[nodiscard]] std::unique_ptr<gl::Visibility> make(const gl::VisibilityOptions& options) {
    auto made = gl::Visibility::create(device(), options);
    EXPECT_TRUE(made.ok()) << made.error().message;
    return std::move(made).value();
  }

  [[nodiscard]] static Answer ask(gl::Visibility& visibility, const gl::DeviceRoom& room,
                                  const gl::VisibilityBatch& batch) {
    Answer out;
    const Status status = visibility.test(room, batch, out.seen, out.counters);
    EXPECT_TRUE(status.ok()) << status.error().message;
    EXPECT_EQ(out.seen.size(), batch.pairs.size());
    return out;
  }

  [[nodiscard]] Answer ask(const gl::VisibilityOptions& options, const VisibilityScene& scene) {
    const auto visibility = make(options);
    const auto room = visibility->upload(scene.environment, scene.clusters);
    EXPECT_TRUE(room.ok()) << room.error().message;
    return ask(*visibility, **room, scene.batch);
  }
};

TEST_F(Visibilities, KeepWhatTouchesAndDropMostOfTheRest) {
  const VisibilityScene scene = wavy_scene(3, 250);
  const gl::VisibilityOptions options{.width = 64, .height = 64};
  const Answer answer = ask(options, scene);
  int touching = 0;
  int apart = 0;
  int apart_dropped = 0;
  for (std::size_t i = 0; i < scene.batch.pairs.size(); ++i) {
    const gl::VisibilityPair& pair = scene.batch.pairs[i];
    if (touches(scene, pair, 0.0)) {
      ++touching;
      EXPECT_TRUE(gl::kept(answer.seen[i])) << "pair " << i;
      continue;
    }
    const Vec3f& half = scene.batch.slabs[pair.slab].half;
    const double pixel =
        2 * static_cast<double>(std::max({half.x, half.y, half.z})) / (options.width - 2);
    if (touches(scene, pair, 2 * pixel)) continue;
    ++apart;
    if (!gl::kept(answer.seen[i])) ++apart_dropped;
  }
  std::printf("%zu pairs: %d touch, %d lie two pixels apart, of which %d are dropped\n",
              scene.batch.pairs.size(), touching, apart, apart_dropped);
  EXPECT_GT(touching, 50);
  EXPECT_GT(apart, 50);
  EXPECT_GT(apart_dropped, apart / 2);
  EXPECT_EQ(answer.counters.slabs, scene.batch.slabs.size());
  EXPECT_EQ(answer.counters.pairs, scene.batch.pairs.size());
  EXPECT_EQ(answer.counters.kept,
            static_cast<std::uint64_t>(std::ranges::count_if(answer.seen, gl::kept)));
  EXPECT_EQ(answer.counters.skin_triangles, scene.batch.skin.size());
  EXPECT_GT(answer.counters.room_triangles, 60 * scene.batch.pairs.size());
  EXPECT_EQ(answer.counters.atlases, 3U);
}

TEST_F(Visibilities, FlagsAndQueriesAnswerTheSame) {
  const VisibilityScene scene = wavy_scene(4, 60);
  for (const bool all_views : {false, true}) {
    const Answer flags = ask({.method = gl::Method::kFlags, .all_views = all_views}, scene);
    const Answer query = ask({.method = gl::Method::kQuery, .all_views = all_views}, scene);
    ASSERT_EQ(flags.seen.size(), query.seen.size());
    for (std::size_t i = 0; i < flags.seen.size(); ++i) {
      ASSERT_EQ(flags.seen[i] & kOnlyMeets, query.seen[i]) << "pair " << i << ' ' << all_views;
    }
    EXPECT_EQ(flags.counters.kept, query.counters.kept);
  }
}

TEST_F(Visibilities, AllViewsKeepTheSameAndShowWhatSixDirectionsWould) {
  const VisibilityScene scene = wavy_scene(5, 60);
  const Answer pruned = ask({}, scene);
  const Answer all = ask({.all_views = true}, scene);
  std::size_t one_sided = 0;
  for (std::size_t i = 0; i < all.seen.size(); ++i) {
    EXPECT_EQ(gl::kept(pruned.seen[i]), gl::kept(all.seen[i])) << i;
    EXPECT_TRUE(gl::kept_one_sided(all.seen[i]) || !gl::kept(all.seen[i])) << i;
    one_sided += gl::kept_one_sided(all.seen[i]) ? 1 : 0;
  }
  std::printf("kept %llu, by six directions %zu\n",
              static_cast<unsigned long long>(all.counters.kept), one_sided);
  EXPECT_GE(one_sided, all.counters.kept);
}

TEST_F(Visibilities, SlabsOfWhichNoPairIsLeftAreDrawnNoMore) {
  const VisibilityScene scene = wavy_scene(15, 80);
  const auto room = make({})->upload(scene.environment, scene.clusters);
  ASSERT_TRUE(room.ok()) << room.error().message;
  const gl::TileGrid grid = gl::make_tile_grid(32, 32, 4096);
  gl::Chunk chunk;
  const std::size_t pairs = gl::cut_chunk(scene.batch, (*room)->triangles().clusters(), grid,
                                          {.tiles = grid.most_tiles()}, 0, chunk);
  ASSERT_EQ(pairs, scene.batch.pairs.size());
  std::vector<gl::Seen> seen(pairs);
  std::vector<bool> drawn;
  on_device([&] {
    auto passes = gl::VisibilityPasses::create({.grid = grid});
    ASSERT_TRUE(passes.ok()) << passes.error().message;
    ASSERT_TRUE(passes->run(chunk, **room, seen).ok());
    drawn = passes->drawn_slabs(chunk);
  });
  // Of the last view: those with a pair that neither view before it freed.
  std::vector<bool> expected(chunk.slabs.size(), false);
  for (std::size_t i = 0; i < pairs; ++i) {
    const bool left = (seen[i] & gl::kMeets) != 0 && (seen[i] & gl::kMeets << 3) != 0;
    if (left) expected[chunk.pairs[i].slab] = true;
  }
  EXPECT_EQ(drawn, expected);
  const auto left = std::ranges::count(expected, true);
  EXPECT_GT(left, 5);
  EXPECT_LT(left, std::ssize(expected) - 5);
}

TEST_F(Visibilities, ABatchMayBeCutAnywhere) {
  const VisibilityScene scene = wavy_scene(6, 40);
  const auto visibility = make({.width = 48, .height = 40});
  const auto room = visibility->upload(scene.environment, scene.clusters);
  const Answer whole = ask(*visibility, **room, scene.batch);
  std::vector<gl::Seen> parts;
  for (std::size_t first = 0; first < scene.batch.pairs.size();) {
    const std::size_t end = std::min(scene.batch.pairs.size(), first + 1 + first % 37);
    gl::VisibilityBatch part = scene.batch;
    part.pairs.assign(scene.batch.pairs.begin() + static_cast<std::ptrdiff_t>(first),
                      scene.batch.pairs.begin() + static_cast<std::ptrdiff_t>(end));
    const Answer answer = ask(*visibility, **room, part);
    parts.insert(parts.end(), answer.seen.begin(), answer.seen.end());
    first = end;
  }
  EXPECT_EQ(parts, whole.seen);
}

TEST_F(Visibilities, MoreSlabsThanAnAtlasHasTiles) {
  const VisibilityScene scene = wavy_scene(7, 30);
  const Answer answer = ask({.width = 1024, .height = 768}, scene);
  EXPECT_GT(answer.counters.atlases, 3U);
  for (std::size_t i = 0; i < scene.batch.pairs.size(); ++i) {
    EXPECT_TRUE(gl::kept(answer.seen[i]) || !touches(scene, scene.batch.pairs[i], 0.0)) << i;
  }
}

TEST_F(Visibilities, FinerTilesDropMore) {
  const VisibilityScene scene = wavy_scene(8, 60);
  const Answer coarse = ask({.width = 8, .height = 8}, scene);
  const Answer fine = ask({.width = 128, .height = 96}, scene);
  EXPECT_LT(fine.counters.kept, coarse.counters.kept);
  for (std::size_t i = 0; i < scene.batch.pairs.size(); ++i) {
    if (!touches(scene, scene.batch.pairs[i], 0.0)) continue;
    EXPECT_TRUE(gl::kept(coarse.seen[i])) << i;
    EXPECT_TRUE(gl::kept(fine.seen[i])) << i;
  }
}

/// A room of one object with these triangles, and a slab about the origin that meets its box.
VisibilityScene scene_of(std::vector<std::array<Vec3f, 3>> triangles) {
  ObjectMesh mesh;
  mesh.name = "object";
  for (const auto& triangle : triangles) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), triangle.begin(), triangle.end());
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  VisibilityScene out;
  out.environment = Environment::create({mesh}).value();
  out.clusters = clusters_of(out.environment);
  add_slab(out, {.from = {{-0.1, 0, 0}, {0.1, 0, 0}},
                 .to = {{-0.1, 0.05, 0}, {0.1, 0.05, 0}},
                 .grow_a = 0.04,
                 .grow_b = 0.04});
  return out;
}

TEST_F(Visibilities, WhatTheSkinContainsIsKept) {
  const VisibilityScene scene =
      scene_of({{{{0, 0.01F, 0}, {0.001F, 0.01F, 0}, {0, 0.011F, 0.001F}}}});
  ASSERT_EQ(scene.batch.pairs.size(), 1U);
  ASSERT_TRUE(touches(scene, scene.batch.pairs[0], 0.0));
  for (const gl::Method method : {gl::Method::kFlags, gl::Method::kQuery}) {
    EXPECT_TRUE(gl::kept(ask({.method = method}, scene).seen[0]));
  }
}

TEST_F(Visibilities, WhatContainsTheSkinIsDroppedThoughItIsOnBothSides) {
  std::vector<std::array<Vec3f, 3>> cube;
  for (const float s : {-0.5F, 0.5F}) {
    const auto add = [&cube](Vec3f a, Vec3f b, Vec3f c, Vec3f d) {
      cube.push_back({a, b, c});
      cube.push_back({a, c, d});
    };
    add({s, -0.5F, -0.5F}, {s, 0.5F, -0.5F}, {s, 0.5F, 0.5F}, {s, -0.5F, 0.5F});
    add({-0.5F, s, -0.5F}, {0.5F, s, -0.5F}, {0.5F, s, 0.5F}, {-0.5F, s, 0.5F});
    add({-0.5F, -0.5F, s}, {0.5F, -0.5F, s}, {0.5F, 0.5F, s}, {-0.5F, 0.5F, s});
  }
  const VisibilityScene scene = scene_of(cube);
  ASSERT_EQ(scene.batch.pairs.size(), 1U);
  ASSERT_FALSE(touches(scene, scene.batch.pairs[0], 0.2));
  const Answer answer = ask({.all_views = true}, scene);
  EXPECT_FALSE(gl::kept(answer.seen[0]));
  // From no side is all of it in front of the slab.
  EXPECT_TRUE(gl::kept_one_sided(answer.seen[0]));
}

TEST_F(Visibilities, SayOnWhichSideAClusterLies) {
  // Wider than the slab, 0.3 m before, behind or beside it along each axis in turn.
  for (int axis = 0; axis < 3; ++axis) {
    for (const float where : {-0.3F, 0.3F}) {
      const auto corner = [&](float u, float v) {
        return axis == 0 ? Vec3f{where, u, v} : axis == 1 ? Vec3f{v, where, u} : Vec3f{u, v, where};
      };
      VisibilityScene scene = scene_of({{corner(-1, -1), corner(2, -1), corner(-1, 2)}});
      scene.batch.pairs = {{.slab = 0, .cluster = 0}};
      const gl::Seen seen = ask({.all_views = true}, scene).seen[0];
      for (int view = 0; view < 3; ++view) {
        const int bits = seen >> 3 * view & 7;
        const int expected = view != axis ? 0 : where < 0 ? gl::kNotBehind : gl::kNotInFront;
        EXPECT_EQ(bits, expected) << axis << ' ' << where << ' ' << view;
      }
      EXPECT_FALSE(gl::kept_one_sided(seen));
    }
  }
}

TEST_F(Visibilities, PixelCentresMissANeedle) {
  // It pierces the slab, thinner than a pixel from every side.
  const VisibilityScene scene =
      scene_of({{{{0.013F, -0.3F, -0.2F}, {0.013F, 0.3F, 0.21F}, {0.0131F, 0.3F, 0.21F}}}});
  ASSERT_EQ(scene.batch.pairs.size(), 1U);
  ASSERT_TRUE(touches(scene, scene.batch.pairs[0], 0.0));
  EXPECT_TRUE(gl::kept(ask({.width = 32, .height = 32}, scene).seen[0]));
  const Answer plain = ask({.width = 32, .height = 32, .raster = gl::Raster::kPlain}, scene);
  EXPECT_FALSE(gl::kept(plain.seen[0]));
}

TEST_F(Visibilities, WhatIsNoNumberTouches) {
  // In a corner of the slab's box, off its skin.
  const VisibilityScene sound =
      scene_of({{{{0.138F, 0.088F, 0.038F}, {0.137F, 0.088F, 0.038F}, {0.138F, 0.087F, 0.038F}}}});
  ASSERT_EQ(sound.batch.pairs.size(), 1U);
  EXPECT_FALSE(gl::kept(ask({}, sound).seen[0]));
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity, 3e38F}) {
    VisibilityScene scene = sound;
    scene.batch.slabs[0].origin.y = bad;
    EXPECT_TRUE(gl::kept(ask({}, scene).seen[0])) << "origin " << bad;
    scene = sound;
    scene.batch.skin[5][1].x = bad;
    EXPECT_TRUE(gl::kept(ask({}, scene).seen[0])) << "skin " << bad;
  }
}

TEST_F(Visibilities, MovedVerticesAreSeenWithoutAnythingElseUploaded) {
  VisibilityScene scene = wavy_scene(9, 40);
  const auto visibility = make({});
  const auto room = visibility->upload(scene.environment, scene.clusters);
  const Environment moved_room = wavy_room(0.7);
  const auto vertices = moved_room.vertices();
  scene.environment = scene.environment.with_vertices({vertices.begin(), vertices.end()}).value();
  scene.clusters.refit(scene.environment);
  scene.batch = {};
  scene.solids.clear();
  RandomLinks random(9);
  for (int i = 0; i < 40; ++i) add_slab(scene, random_slab(random));
  const auto moved = visibility->upload_vertices(**room, scene.environment);
  ASSERT_TRUE(moved.ok()) << moved.error().message;
  const Answer answer = ask(*visibility, **moved, scene.batch);
  const auto anew = visibility->upload(scene.environment, scene.clusters);
  EXPECT_EQ(answer.seen, ask(*visibility, **anew, scene.batch).seen);
  EXPECT_NE(answer.seen, ask(*visibility, **room, scene.batch).seen);
  int touching = 0;
  for (std::size_t i = 0; i < scene.batch.pairs.size(); ++i) {
    if (!touches(scene, scene.batch.pairs[i], 0.0)) continue;
    ++touching;
    EXPECT_TRUE(gl::kept(answer.seen[i])) << i;
  }
  EXPECT_GT(touching, 5);
}

TEST_F(Visibilities, NothingToAskIsNoError) {
  const VisibilityScene scene = wavy_scene(10, 1);
  const auto visibility = make({});
  const auto room = visibility->upload(scene.environment, scene.clusters);
  EXPECT_TRUE(ask(*visibility, **room, {}).seen.empty());
  const Environment nothing;
  const auto empty_room = visibility->upload(nothing, clusters_of(nothing));
  EXPECT_TRUE(empty_room.ok()) << empty_room.error().message;
  EXPECT_TRUE(ask(*visibility, **empty_room, {}).seen.empty());
}

TEST_F(Visibilities, TheControlIsSeenInTilesOfAllSizes) {
  // Or test() would say so.
  const VisibilityScene scene = wavy_scene(16, 3);
  for (const gl::Raster raster : {gl::Raster::kShader, gl::Raster::kPlain}) {
    for (const gl::Method method : {gl::Method::kFlags, gl::Method::kQuery}) {
      for (const auto& [width, height] : {std::array{8, 8}, {9, 13}, {8, 8192}, {8192, 8}}) {
        (void)ask({.width = width, .height = height, .method = method, .raster = raster}, scene);
      }
    }
  }
}

TEST_F(Visibilities, TilesThatCannotBeAreRefused) {
  for (const int width : {0, 7, 8193}) {
    const auto made = gl::Visibility::create(device(), {.width = width});
    EXPECT_FALSE(made.ok());
    EXPECT_EQ(made.error().code, ErrorCode::kUnavailable);
    EXPECT_NE(made.error().message.find("8 to 8192"), std::string::npos) << made.error().message;
  }
}

TEST_F(Visibilities, SayHowTheyDraw) {
  EXPECT_EQ(make({.raster = gl::Raster::kShader})->raster(), "shader");
  EXPECT_EQ(make({.raster = gl::Raster::kPlain})->raster(), "plain");
  EXPECT_FALSE(make({.raster = gl::Raster::kAuto})->raster().empty());
}

}  // namespace
}  // namespace tocsin::test::visibility_test
