// What the counters of a batch say, beside counts by brute force: work that is done without need
// shows in no contact.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/query/certify.h"
#include "core/query/early_out.h"
#include "core/query/early_out_pair.h"
#include "core/query/link_pair.h"
#include "gpu/cuda/contacts/certify_scene.h"
#include "gpu/cuda/stages/batch_checker.h"
#include "support/cuda_devices.h"

namespace tocsin::test::counters_test {
namespace {

constexpr double kCountMargin = 0.01;  // metres

/// Some steps of some avatars, as one batch of which nobody meets another.
struct CountScene {
  Environment room;
  RandomCrowd crowd;
  std::vector<cuda::BatchItem> items;

  CountScene(std::uint64_t seed, double size, bool self) {
    RandomLinks random(seed);
    room = random_room(random, 5, 30, 1.0);
    crowd = random_crowd(random, 16, 4, size, self);
    for (std::size_t m = 0; m < crowd.members.size(); ++m) {
      const Member& member = crowd.members[m];
      for (const Step& step : crowd.steps[m]) {
        items.push_back({&member.avatar, &step, &member.active, &member.self,
                         static_cast<std::uint32_t>(items.size())});
      }
    }
  }

  [[nodiscard]] std::vector<StepCounters> counters(const std::shared_ptr<cuda::Device>& device,
                                                   int k = 6) const {
    cuda::CheckerOptions options;
    options.margin = kCountMargin;
    options.k = k;
    const auto checker = cuda::BatchChecker::create(device, room, options).value();
    std::vector<cuda::BatchAnswer> answers(items.size());
    std::size_t done = 0;
    EXPECT_TRUE(checker->check(items, false, {}, answers, done));
    std::vector<StepCounters> out;
    for (const cuda::BatchAnswer& answer : answers) out.push_back(answer.counters);
    return out;
  }

  /// Per item the boxes of its links.
  [[nodiscard]] std::vector<std::vector<core::Box>> boxes(
      const std::shared_ptr<cuda::Device>& device) const {
    const cuda::DeviceRoom there(device, room);
    cuda::BatchData data;
    data.set(items, static_cast<std::uint32_t>(items.size()), room.objects().size(), kCountMargin);
    cuda::MotionStage motion(device);
    motion.upload(data);
    motion.move(there.view().bounds);
    std::vector<core::Box> all(motion.view().link_count);
    device->download(all.data(), motion.boxes(), all.size() * sizeof(core::Box));
    std::vector<std::vector<core::Box>> out;
    std::size_t next = 0;
    for (const cuda::BatchItem& item : items) {
      auto& of_item = out.emplace_back();
      for (std::size_t l = 0; l < item.avatar->links().size(); ++l) of_item.push_back(all[next++]);
    }
    EXPECT_EQ(next, all.size());
    return out;
  }

  [[nodiscard]] bool near_a_triangle(const core::Box& box) const {
    for (std::uint32_t t = 0; t < room.triangles().size(); ++t) {
      const auto [a, b, c] = room.corners(t);
      const core::Box triangle{
          {std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})},
          {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})}};
      if (core::overlap(box, triangle)) return true;
    }
    return false;
  }
};

class BatchCounters : public OnCudaDevice {};
TOCSIN_ON_CUDA_DEVICES(BatchCounters);

TEST_P(BatchCounters, NearLinksAreThoseWhoseBoxMeetsATriangles) {
  std::uint64_t near = 0;
  std::uint64_t links = 0;
  for (const int k : {6, 26}) {
    const CountScene scene(9100 + static_cast<std::uint64_t>(k), 2.5, false);
    const auto boxes = scene.boxes(device());
    const std::vector<StepCounters> counters = scene.counters(device(), k);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      std::uint64_t want = 0;
      for (const core::Box& box : boxes[i]) want += scene.near_a_triangle(box) ? 1 : 0;
      EXPECT_EQ(counters[i].near_links, want) << "item " << i;
      near += want;
      links += boxes[i].size();
    }
  }
  EXPECT_GT(near, links / 10);
  EXPECT_LT(near, links * 9 / 10);
}

TEST_P(BatchCounters, WithEverythingOffNothingIsNear) {
  CountScene scene(9200, 1.0, false);
  const std::vector<StepCounters> before = scene.counters(device());
  // Every other member's.
  std::vector<ActivePairs> none(scene.crowd.members.size());
  for (std::size_t m = 0; m < none.size(); m += 2) {
    const std::vector<std::string> everything{"*:*"};
    none[m] = ActivePairs::ignoring(scene.crowd.members[m].avatar, scene.room, everything).value();
  }
  std::vector<bool> off;
  for (cuda::BatchItem& item : scene.items) {
    for (std::size_t m = 0; m < none.size(); ++m) {
      if (item.avatar != &scene.crowd.members[m].avatar) continue;
      off.push_back(m % 2 == 0);
      item.active = &none[m];
    }
  }
  ASSERT_EQ(off.size(), scene.items.size());
  const std::vector<StepCounters> after = scene.counters(device());
  std::uint64_t candidates = 0;
  for (std::size_t i = 0; i < off.size(); ++i) {
    const StepCounters want = off[i] ? StepCounters{} : before[i];
    EXPECT_EQ(after[i].near_links, want.near_links) << "item " << i;
    EXPECT_EQ(after[i].candidates, want.candidates);
    EXPECT_EQ(after[i].evaluations, want.evaluations);
    EXPECT_EQ(after[i].primitive_tests, want.primitive_tests);
    if (off[i]) candidates += before[i].candidates;
  }
  EXPECT_GT(candidates, 100U);
}

TEST_P(BatchCounters, OnlyOwnLinksWhoseBoxesMeetAreEvaluated) {
  CountScene scene(9300, 1.0, true);
  // Out of everybody's reach: all evaluations are of pairs of links.
  scene.room =
      Environment::create({{"far", {{90, 0, 0}, {91, 0, 0}, {90, 1, 0}}, {{0, 1, 2}}}}).value();
  const auto boxes = scene.boxes(device());
  const std::vector<StepCounters> counters = scene.counters(device());
  std::uint64_t met = 0;
  std::uint64_t apart = 0;
  for (std::size_t i = 0; i < scene.items.size(); ++i) {
    const cuda::BatchItem& item = scene.items[i];
    const Motions links(*item.avatar, *item.step, kCountMargin);
    std::uint64_t pairs = 0;
    std::uint64_t evaluations = 0;
    for (std::size_t a = 0; a < links.size(); ++a) {
      for (std::size_t b = a + 1; b < links.size(); ++b) {
        if (!item.self->active(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)))
          continue;
        if (!core::overlap(boxes[i][a], boxes[i][b])) {
          ++apart;
          continue;
        }
        ++pairs;
        // An early-out of all, and the whole query of those that it does not settle.
        ++evaluations;
        if (core::early_out(core::seen_pair(links[a], links[b])) !=
            core::EarlyOut::Kind::kSuspect) {
          continue;
        }
        const core::Certificate c =
            core::certify_pair(links[a], core::evaluate(links[a], 0), links[b],
                               core::evaluate(links[b], 0), 1e-9, core::kToEnd);
        evaluations += static_cast<std::uint64_t>(c.evaluations);
      }
    }
    EXPECT_EQ(counters[i].link_pairs, pairs) << "item " << i;
    EXPECT_EQ(counters[i].evaluations, evaluations) << "item " << i;
    EXPECT_EQ(counters[i].near_links, 0U);
    met += pairs;
  }
  EXPECT_GT(met, 20U);
  EXPECT_GT(apart, 20U);
}

/// Where every candidate is a segment of its own, nothing is left out.
TEST_P(BatchCounters, SurvivorsAreEvaluatedToTheirEnds) {
  RandomLinks random(9400);
  CertifyScene scene;
  scene.room = random_room(random, 150, 1, 1.2);  // a triangle an object
  const RandomCrowd crowd = random_crowd(random, 6, 4, 1.0, false);
  for (std::size_t m = 0; m < crowd.members.size(); ++m) {
    for (const Step& step : crowd.steps[m]) scene.add(crowd.members[m].avatar, step);
  }
  CertifyRun run(device(), scene);
  (void)run.with_room();
  const std::vector<StepTally> tallies = run.tallies();
  std::vector<StepTally> want(tallies.size());
  const std::vector<Candidate> candidates = run.candidates();
  std::uint64_t certified = 0;
  std::uint32_t first_link = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const Motions links(scene.members[i].avatar, scene.steps[i], scene.options.margin);
    for (const Candidate& candidate : candidates) {
      if (candidate.near < first_link || candidate.near >= first_link + links.size()) continue;
      const core::LinkMotion& link = links[candidate.near - first_link];
      const auto [a, b, c] = scene.room.corners(candidate.triangle);
      const core::Triangle triangle = core::triangle_seen_from(link.ref, a, b, c);
      const core::AxisState at0 = core::evaluate(link, 0);
      ++want[i].candidates;
      ++want[i].evaluations;
      if (core::early_out(link, at0, triangle).kind != core::EarlyOut::Kind::kSuspect) continue;
      const core::Certificate answer =
          core::certify(link, at0, triangle, scene.options.tolerance, core::kToEnd);
      want[i].evaluations += static_cast<std::uint64_t>(answer.evaluations);
      certified += static_cast<std::uint64_t>(answer.evaluations);
    }
    first_link += static_cast<std::uint32_t>(links.size());
    EXPECT_EQ(tallies[i].candidates, want[i].candidates) << "item " << i;
    EXPECT_EQ(tallies[i].evaluations, want[i].evaluations) << "item " << i;
  }
  EXPECT_GT(certified, 200U);
}

}  // namespace
}  // namespace tocsin::test::counters_test
