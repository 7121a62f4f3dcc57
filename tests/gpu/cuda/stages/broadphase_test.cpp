// The broadphase on devices finds the pairs that brute force and the CPU's sweeps find.
#include "gpu/cuda/stages/broadphase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "boxes_of_steps.h"
#include "cpu/broadphase/sweep_and_prune.h"
#include "make/random.h"
#include "support/cuda_devices.h"

namespace tocsin::cuda::broadphase_test {
namespace {

using core::Box;
using core::batch::LinkPair;
using test::BoxesOfSteps;
using test::BoxesOnDevice;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Box cube_at(float x, float y, float z, float size) {
  return {{x, y, z}, {x + size, y + size, z + size}};
}

class BroadphaseTest : public test::OnCudaDevice {
 protected:
  void SetUp() override {
    OnCudaDevice::SetUp();
    broadphase_.emplace(device());
    batch_.emplace(device());
  }
  std::vector<LinkPair> pairs(const BoxesOfSteps& scene) {
    batch_->set(scene);
    return broadphase_->pairs(batch_->view(), batch_->boxes(), batch_->tallies()).download();
  }
  std::optional<Broadphase> broadphase_;
  std::optional<BoxesOnDevice> batch_;
};

TEST_P(BroadphaseTest, NothingComesFromNothing) {
  EXPECT_TRUE(pairs({}).empty());
  BoxesOfSteps scene;
  scene.add(0, {cube_at(0, 0, 0, 1), cube_at(0, 0, 0, 1)});
  EXPECT_TRUE(pairs(scene).empty());  // one step
  scene.add(0, {});
  EXPECT_TRUE(pairs(scene).empty());  // the other has no links
  scene.add(0, {Box{}, Box{}});
  scene.add(0, {{{-1, 2, -1}, {1, 1, 1}}});
  EXPECT_TRUE(pairs(scene).empty());  // or only empty ones
  scene.add(1, {cube_at(0, 0, 0, 1)});
  EXPECT_TRUE(pairs(scene).empty());  // or is of another group
  scene.add(0, {cube_at(0, 0, 0, 1)});
  const std::vector<LinkPair> want{{0, 6}, {1, 6}};
  EXPECT_EQ(pairs(scene), want);
  EXPECT_EQ(batch_->link_pairs(), (std::vector<std::uint64_t>{2, 0, 0, 0, 0, 0}));
}

TEST_P(BroadphaseTest, BoxesThatTouchOverlap) {
  BoxesOfSteps scene;
  for (const Box& b :
       {cube_at(0, 0, 0, 1), cube_at(1, 0, 0, 1), cube_at(1, 1, 0, 1), cube_at(1, 1, 1, 1),
        cube_at(std::nextafter(2.0F, 3.0F), 1, 1, 1), cube_at(-1, -0.0F, -1, 1)}) {
    scene.add(3, {b});
  }
  const std::vector<LinkPair> want{{0, 1}, {0, 2}, {0, 3}, {0, 5}, {1, 2}, {1, 3}, {2, 3}};
  EXPECT_EQ(pairs(scene), want);
}

TEST_P(BroadphaseTest, AnInfiniteBoxMeetsAllButEmptyOnes) {
  const Box everywhere{{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}};
  BoxesOfSteps scene;
  scene.add(0, {everywhere, Box{}});
  scene.add(0, {{{0, 2, 0}, {5, 1, 5}}, cube_at(1e30F, -1e30F, 0, 0)});
  scene.add(0, {everywhere});
  const std::vector<LinkPair> want{{0, 3}, {0, 4}, {3, 4}};
  EXPECT_EQ(pairs(scene), want);
}

/// Random scenes as groups of one batch, `first` and following; their links are numbered through.
BoxesOfSteps random_scenes(std::uint64_t first, int scenes) {
  BoxesOfSteps out;
  for (int s = 0; s < scenes; ++s) {
    make::Random random(72, first + static_cast<std::uint64_t>(s));
    test::RandomBoxes bodies(random, test::any_coordinates(random));
    const int most_links = random.chance(0.3) ? 1 : random.integer(1, 8);
    for (int left = test::any_count(random); left > 0;) {
      std::vector<Box> links(static_cast<std::size_t>(random.integer(0, most_links)));
      for (Box& b : links) b = bodies.any();
      left -= static_cast<int>(links.size());
      out.add(static_cast<std::uint32_t>(s), links);
    }
  }
  return out;
}

TEST_P(BroadphaseTest, FindsWhatBruteForceFinds) {
  constexpr std::uint64_t kScenes = 10'000;
  make::Random random(73);
  std::size_t found = 0;
  std::size_t possible = 0;
  std::size_t batches_with_pairs = 0;
  std::size_t batches = 0;
  for (std::uint64_t first = 0; first < kScenes; ++batches) {
    const int scenes = random.chance(0.5) ? 1 : random.integer(2, 40);
    const BoxesOfSteps scene = random_scenes(first, scenes);
    const std::vector<LinkPair> want = test::pairs_by_force(scene);
    ASSERT_EQ(pairs(scene), want) << "scenes from " << first;
    ASSERT_EQ(test::pairs_by_sweep(scene), want) << "scenes from " << first;
    ASSERT_EQ(batch_->link_pairs(), test::pairs_per_step(scene, want)) << "scenes from " << first;
    found += want.size();
    possible += scene.boxes.size() * (scene.boxes.size() - 1) / 2;
    batches_with_pairs += want.empty() ? 0 : 1;
    first += static_cast<std::uint64_t>(scenes);
  }
  EXPECT_GT(found, 500'000U);
  EXPECT_LT(found, possible / 4);
  EXPECT_GT(batches_with_pairs, batches * 7 / 10);
}

TEST_P(BroadphaseTest, AgreesWithSweepAndPruneFromFrameToFrame) {
  make::Random random(74);
  test::RandomBoxes bodies(random, test::Coordinates::kReal);
  std::vector<Box> boxes(300);
  cpu::SweepAndPrune prune;
  for (Box& b : boxes) prune.insert(b = bodies.any());
  std::size_t found = 0;
  for (int frame = 0; frame < 50; ++frame) {
    BoxesOfSteps scene;
    for (const Box& b : boxes) scene.add(0, {b});
    prune.update();
    const std::vector<LinkPair> want = test::between_strangers(scene, prune.pairs());
    ASSERT_EQ(pairs(scene), want) << "frame " << frame;
    found += want.size();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      boxes[i] = bodies.moved(boxes[i]);
      prune.move(static_cast<cpu::BodyId>(i), boxes[i]);
    }
  }
  EXPECT_GT(found, 50U * 50U);
}

TEST_P(BroadphaseTest, ComesInPiecesAsWell) {
  make::Random random(75);
  std::size_t pieces = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const BoxesOfSteps scene = random_scenes(20'000 + 5 * i, 5);
    const std::vector<LinkPair> want = pairs(scene);
    const std::vector<std::uint64_t> tallies = batch_->link_pairs();
    batch_->forget_tallies();
    std::vector<LinkPair> got;
    const auto steps = static_cast<std::uint32_t>(scene.steps.size());
    for (std::uint32_t first = 0; first < steps;) {
      const std::uint32_t last = first + static_cast<std::uint32_t>(random.integer(1, 20));
      const std::uint64_t count =
          broadphase_->count(batch_->view(), batch_->boxes(), first, last, batch_->tallies());
      for (std::uint64_t at = 0; at < count; ++pieces) {
        const std::uint64_t end = at + static_cast<std::uint64_t>(random.integer(1, 40));
        const std::vector<LinkPair> piece = broadphase_->take(at, end).download();
        EXPECT_EQ(piece.size(), std::min(end, count) - at);
        got.insert(got.end(), piece.begin(), piece.end());
        at = end;
      }
      first = last;
    }
    ASSERT_EQ(got, want);
    ASSERT_EQ(batch_->link_pairs(), tallies);
  }
  EXPECT_GT(pieces, 1'000U);
}

/// Avatars of 16 links each, about 0.9 x 1.8 x 0.9 m, y up; every link is some 0.4 m long.
void add_avatar(BoxesOfSteps& scene, make::Random& random, double x, double z) {
  std::vector<Box> links(16);
  for (Box& b : links) {
    const Vec3 p{x + random.uniform(-0.3, 0.3), random.uniform(0.1, 1.7),
                 z + random.uniform(-0.3, 0.3)};
    const Vec3 q{p.x + random.uniform(-0.1, 0.1), p.y + random.uniform(-0.2, 0.2),
                 p.z + random.uniform(-0.1, 0.1)};
    b = core::grown_box(p, q, 0.06);
  }
  scene.add(0, links);
}

/// On a square grid, `apart` metres from each other; or anywhere in such a square.
BoxesOfSteps avatars(int side, double apart, bool grid) {
  make::Random random(76);
  BoxesOfSteps scene;
  for (int i = 0; i < side * side; ++i) {
    const double extent = side * apart;
    const double x = grid ? i % side * apart : random.uniform(0.0, extent);
    const double z = grid ? i / side * apart : random.uniform(0.0, extent);  // NOLINT: whole rows
    add_avatar(scene, random, x, z);
  }
  return scene;
}

struct Large {
  const char* name;
  BoxesOfSteps scene;
  std::size_t least;  ///< pairs
};

TEST_P(BroadphaseTest, LargeScenes) {
  // 1,296 avatars, 20,736 boxes.
  const std::vector<Large> scenes{{"grid", avatars(36, 0.4, true), 20'000},
                                  {"hall", avatars(36, 0.4, false), 20'000},
                                  {"crush", avatars(36, 0.05, false), 1'000'000}};
  for (const Large& large : scenes) {
    const std::vector<LinkPair> want = test::pairs_by_sweep(large.scene);
    EXPECT_GT(want.size(), large.least) << large.name;
    EXPECT_EQ(pairs(large.scene), want) << large.name;
    EXPECT_EQ(batch_->link_pairs(), test::pairs_per_step(large.scene, want)) << large.name;
  }
}

// By counting, not by the clock: an avatar on a grid or in a hall is compared with those of its
// row, whatever the axes are called.
TEST_P(BroadphaseTest, WorkGrowsAsRowsDo) {
  for (const bool grid : {true, false}) {
    for (const int side : {10, 30}) {
      const BoxesOfSteps scene = avatars(side, 1.0, grid);
      pairs(scene);
      const auto per_step = static_cast<double>(broadphase_->counters().sweep_tests) /
                            static_cast<double>(scene.steps.size());
      EXPECT_LT(per_step, 1.5 * side) << (grid ? "grid" : "hall");
    }
  }
  // A row that stands along z.
  BoxesOfSteps row;
  make::Random random(77);
  for (int i = 0; i < 2'000; ++i) add_avatar(row, random, 0.0, i);
  pairs(row);
  EXPECT_LT(broadphase_->counters().sweep_tests, 2U * 2'000U);
}

// More comparisons than are made at once, on every axis.
TEST_P(BroadphaseTest, RodsInThreeDirections) {
  make::Random random(78);
  BoxesOfSteps scene;
  for (int i = 0; i < 8'400; ++i) {
    std::array<float, 3> lo{};
    std::array<float, 3> hi{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool along = static_cast<std::size_t>(i % 3) == axis;
      lo[axis] = along ? -kInfinity : static_cast<float>(random.uniform(0.0, 1'000.0));
      hi[axis] = along ? kInfinity : lo[axis] + 0.1F;
    }
    scene.add(0, {{{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}}});
  }
  const std::vector<LinkPair> want = test::pairs_by_sweep(scene);
  EXPECT_GT(want.size(), 1'000U);
  EXPECT_EQ(pairs(scene), want);
  EXPECT_GT(broadphase_->counters().sweep_tests, std::uint64_t{1} << 24U);
}

/// Links of steps, some of which have tables of what is off.
struct MaskedLinks {
  BoxesOfSteps steps;
  std::vector<std::uint8_t> masks;
  std::vector<std::uint8_t> flags;

  MaskedLinks(make::Random& random, test::RandomBoxes& bodies, std::size_t objects) {
    for (int count = test::any_count(random); count > 0; count -= 4) {
      std::vector<Box> links(static_cast<std::size_t>(std::min(count, 4)));
      for (Box& b : links) b = bodies.any();
      steps.add(0, links);
      if (random.chance(0.2)) continue;
      steps.steps.back().mask = static_cast<std::uint32_t>(masks.size());
      for (std::size_t i = 0; i < links.size() * objects; ++i) {
        masks.push_back(random.chance(0.8) ? 1 : 0);
      }
    }
    for (std::size_t i = 0; i < steps.boxes.size(); ++i)
      flags.push_back(random.chance(0.9) ? 1 : 0);
  }
  /// The flags that are left, by brute force.
  [[nodiscard]] std::vector<std::uint8_t> left(const std::vector<Box>& objects) const {
    std::vector<std::uint8_t> out = flags;
    for (std::size_t l = 0; l < out.size(); ++l) {
      const core::batch::BatchStep& step = steps.steps[steps.step_of_link[l]];
      if (step.mask == core::batch::kNone) continue;
      bool active = false;
      for (std::size_t o = 0; o < objects.size(); ++o) {
        active = active || (masks[step.mask + (l - step.first_link) * objects.size() + o] == 0 &&
                            core::overlap(steps.boxes[l], objects[o]) &&
                            test::holds_a_point(steps.boxes[l]) && test::holds_a_point(objects[o]));
      }
      if (!active) out[l] = 0;
    }
    return out;
  }
};

TEST_P(BroadphaseTest, FindsObjects) {
  std::size_t left = 0;
  std::size_t dropped = 0;
  std::size_t many = 0;
  Array<Box> objects(device());
  Array<std::uint8_t> masks(device());
  Array<std::uint8_t> flags(device());
  for (std::uint64_t s = 0; s < 1'000; ++s) {
    make::Random random(79, s);
    test::RandomBoxes bodies(random, test::any_coordinates(random));
    std::vector<Box> room(static_cast<std::size_t>(
        random.chance(0.03) ? random.integer(1'025, 3'000) : test::any_count(random)));
    for (Box& b : room) b = bodies.any();
    if (random.chance(0.02)) room.assign(1'100, Box{});
    if (room.empty()) continue;  // nothing is near
    const MaskedLinks links(random, bodies, room.size());
    batch_->set(links.steps);
    objects.upload(room);
    masks.upload(links.masks);
    flags.upload(links.flags);
    core::batch::View view = batch_->view();
    view.masks = masks.data();
    broadphase_->drop_inactive(view, batch_->boxes(), objects.data(),
                               static_cast<std::uint32_t>(room.size()), flags.data());
    const std::vector<std::uint8_t> want = links.left(room);
    ASSERT_EQ(flags.download(), want) << "scene " << s;
    for (std::size_t l = 0; l < want.size(); ++l) {
      left += want[l];
      dropped += links.flags[l] - want[l];
    }
    many += room.size() > 1'024 ? 1 : 0;
  }
  EXPECT_GT(left, 3'000U);
  EXPECT_GT(dropped, 3'000U);
  EXPECT_GT(many, 20U);
}

TOCSIN_ON_CUDA_DEVICES(BroadphaseTest);

/// Everybody in everybody's way: n (n - 1) / 2 pairs.
BoxesOfSteps heap(int n) {
  BoxesOfSteps scene;
  for (int i = 0; i < n; ++i) scene.add(0, {cube_at(0, 0, 0, 1)});
  return scene;
}

TEST(BroadphaseMemory, WhatDoesNotFitIsAskedForInPieces) {
  const BoxesOfSteps scene = heap(1'500);  // 9 MB of pairs of steps, and of pairs of links
  const std::size_t all = 1'500U * 1'499U / 2;
  const auto device = test::open_cuda({.emulate = true, .threads = 2, .memory = 8'000'000});
  Broadphase broadphase(device);
  BoxesOnDevice batch(device);
  batch.set(scene);
  try {
    broadphase.pairs(batch.view(), batch.boxes(), batch.tallies());
    FAIL() << "it fitted";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), FailureKind::kMemory);
  }
  EXPECT_EQ(batch.link_pairs(), std::vector<std::uint64_t>(scene.steps.size()));
  std::vector<LinkPair> got;
  for (std::uint32_t first = 0; first < 1'500; first += 100) {
    const std::uint64_t count =
        broadphase.count(batch.view(), batch.boxes(), first, first + 100, batch.tallies());
    for (std::uint64_t at = 0; at < count; at += 10'000) {
      const std::vector<LinkPair> piece = broadphase.take(at, at + 10'000).download();
      got.insert(got.end(), piece.begin(), piece.end());
    }
  }
  EXPECT_EQ(got.size(), all);
  EXPECT_EQ(got, test::pairs_by_force(scene));
  EXPECT_EQ(batch.link_pairs(), test::pairs_per_step(scene, got));
}

TEST(BroadphaseMemory, ADeviceThatFailsIsAFailureWhereverItDoes) {
  const BoxesOfSteps scene = avatars(6, 0.5, true);
  for (std::uint64_t at = 1;; ++at) {
    ASSERT_LT(at, 1'000U);
    const auto device = test::open_cuda({.emulate = true, .threads = 1, .seed = at, .fail_at = at});
    try {
      Broadphase broadphase(device);
      BoxesOnDevice batch(device);
      batch.set(scene);
      const std::size_t found =
          broadphase.pairs(batch.view(), batch.boxes(), batch.tallies()).size();
      EXPECT_GT(at, 20U);
      EXPECT_EQ(found, test::pairs_by_force(scene).size());
      break;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.kind(), FailureKind::kDevice) << failure.what();
    }
  }
}

}  // namespace
}  // namespace tocsin::cuda::broadphase_test
