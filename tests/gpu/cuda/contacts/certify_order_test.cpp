// What the order of the certify stage is worth on recorded takes in a furnished house: how much a
// early-out leaves, and how many lanes of a warp are busy with it. docs/cuda.md, "Stages".
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "core/query/certify.h"
#include "core/query/contact_point.h"
#include "core/query/early_out.h"
#include "core/query/early_out_pair.h"
#include "core/query/link_pair.h"
#include "core/query/pair_contact.h"
#include "cpu/tree/make_tree_culler.h"
#include "scene/swept/step_motion.h"
#include "support/data.h"
#include "tocsin/io.h"
#include "tocsin/link_pairs.h"

namespace tocsin::test::certify_order_test {
namespace {

/// Evaluations of the threads of a launch, in their order.
using Launch = std::vector<int>;

long sum_of(const Launch& launch) {
  long out = 0;
  for (const int n : launch) out += n;
  return out;
}

/// Evaluations of whole warps of 32: each takes as long as its slowest lane.
long warp_evaluations(const Launch& launch) {
  long out = 0;
  for (std::size_t i = 0; i < launch.size(); i += 32) {
    const auto begin = launch.begin() + static_cast<std::ptrdiff_t>(i);
    out += *std::max_element(
        begin, begin + static_cast<std::ptrdiff_t>(std::min<std::size_t>(32, launch.size() - i)));
  }
  return out;
}

void print(const char* what, const Launch& launch) {
  if (launch.empty()) return;
  std::printf("  %-28s %7zu threads, %6ld evaluations, at most %d, %2.0f %% of lanes busy\n", what,
              launch.size(), sum_of(launch), *std::max_element(launch.begin(), launch.end()),
              100.0 * static_cast<double>(sum_of(launch)) /
                  static_cast<double>(32 * warp_evaluations(launch)));
}

/// What the stage does for some steps.
struct Work {
  int steps = 0;
  long candidates = 0;
  long overlaps = 0;
  Launch firsts;
  Launch others;
  Launch pairs;         ///< of links, each to its end
  Launch pairs_looked;  ///< the same with an early-out first
  Launch pairs_left;
};

class House {
 public:
  House()
      : room_(load_environment(data_path("environments/small_house.obj")).value()),
        tree_(cpu::make_tree_culler(room_)) {}

  void add(const Avatar& avatar, const Step& step, Work& work) {
    ++work.steps;
    motion_.begin(avatar, step, 0.0, tree_->bounds());
    for (std::size_t i = 0; i < motion_.link_count(); ++i) {
      if (!tree_->clear_of(motion_.coarse_box(i))) add_link(motion_.link(i), work);
    }
    const LinkPairs self = LinkPairs::of(avatar);
    for (std::size_t i = 0; i < motion_.link_count(); ++i) {
      for (std::size_t k = i + 1; k < motion_.link_count(); ++k) {
        if (self.active(static_cast<std::int32_t>(i), static_cast<std::int32_t>(k)) &&
            core::overlap(motion_.link(i).box, motion_.link(k).box)) {
          add_pair(motion_.link(i).motion, motion_.link(k).motion, work);
        }
      }
    }
  }

 private:
  struct Survivor {
    std::uint32_t triangle = 0;
    double free_until = 0.0;
  };

  [[nodiscard]] core::Triangle triangle(const core::LinkMotion& link, std::uint32_t index) const {
    const std::array<Vec3f, 3> v = room_.corners(index);
    return core::triangle_seen_from(link.ref, v[0], v[1], v[2]);
  }

  void add_link(const scene::SweptLink& link, Work& work) {
    candidates_.clear();
    scene::CullCounters ignored;
    tree_->cull(link, candidates_, ignored);
    work.candidates += static_cast<long>(candidates_.size());
    const core::AxisState at0 = core::evaluate(link.motion, 0.0);
    std::map<std::uint32_t, std::vector<Survivor>> segments;
    std::map<std::uint32_t, bool> decided;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const std::uint32_t index = candidates_.triangle(i);
      const core::EarlyOut look = core::early_out(link.motion, at0, triangle(link.motion, index));
      if (look.kind == core::EarlyOut::Kind::kFree) continue;
      const std::uint32_t object = room_.object_of(index);
      if (look.kind == core::EarlyOut::Kind::kOverlap) {
        ++work.overlaps;
        decided[object] = true;
      }
      segments[object].push_back({index, look.free_until});
    }
    for (auto& [object, survivors] : segments) {
      if (!decided[object]) add_segment(link.motion, at0, survivors, work);
    }
  }

  void add_segment(const core::LinkMotion& link, const core::AxisState& at0,
                   std::vector<Survivor>& survivors, Work& work) const {
    const auto first = std::min_element(
        survivors.begin(), survivors.end(),
        [](const Survivor& p, const Survivor& q) { return p.free_until < q.free_until; });
    std::iter_swap(first, survivors.begin());
    std::sort(survivors.begin() + 1, survivors.end(),
              [](const Survivor& p, const Survivor& q) { return p.triangle < q.triangle; });
    core::PairContact pair;
    for (const Survivor& s : survivors) {
      const double stop_after = pair.stop_after();
      if (s.free_until > stop_after) continue;
      const core::Certificate c =
          core::certify(link, at0, triangle(link, s.triangle), 1e-9, stop_after);
      if (&s == survivors.data()) pair.add(s.triangle, c);
      (&s == survivors.data() ? work.firsts : work.others).push_back(c.evaluations);
    }
  }

  static void add_pair(const core::LinkMotion& a, const core::LinkMotion& b, Work& work) {
    const core::AxisState a0 = core::evaluate(a, 0.0);
    const core::AxisState b0 = core::evaluate(b, 0.0);
    const core::EarlyOut::Kind looked = core::early_out(core::seen_pair(a, b));
    const core::Certificate whole = core::certify_pair(a, a0, b, b0, 1e-9, core::kToEnd);
    work.pairs.push_back(whole.evaluations);
    work.pairs_looked.push_back(1);
    if (looked == core::EarlyOut::Kind::kSuspect) {
      work.pairs_left.push_back(whole.evaluations);
      return;
    }
    EXPECT_EQ(whole.outcome, looked == core::EarlyOut::Kind::kFree ? core::Outcome::kFree
                                                                   : core::Outcome::kOverlap);
    EXPECT_EQ(whole.evaluations, 1);
  }

  Environment room_;
  std::unique_ptr<cpu::TreeCuller> tree_;
  scene::StepMotion motion_;
  scene::Candidates candidates_;
};

TEST(CertifyOrder, AnEarlyOutSettlesNearlyAll) {
  TOCSIN_NEEDS_DATA("motions/cmu/02_01.amc");
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  struct Take {
    const char* motion;
    Placement place;
  };
  const std::vector<Take> takes{{"motions/cmu/01_01.amc", {{5.4, 0.07, -4}, 0}},
                                {"motions/cmu/02_01.amc", {{1.0, 0.04, 1.3}, 0}},
                                {"motions/cmu/02_03.amc", {{-0.1, 0.04, 1.3}, 90}},
                                {"motions/cmu/02_05.amc", {{-6.9, 0.04, 2.15}, 180}},
                                {"motions/cmu/02_07.amc", {{7.3, 0.04, 0.95}, 0}},
                                {"motions/cmu/03_02.amc", {{-0.1, 0.04, 1.3}, 90}},
                                {"motions/cmu/03_03.amc", {{-1, 0.04, -1}, 0}}};
  House house;
  for (const std::int64_t frames : {1, 12}) {  // of 1/120 s
    Work work;
    for (const Take& take : takes) {
      const Motion loaded = load_motion(data_path(take.motion)).value();
      const Motion motion = loaded.placed(take.place).value();
      const Avatar avatar =
          Avatar::bind(*load_avatar_model("humanoid16"), motion.skeleton()).value();
      const StepList steps = motion.steps({0, -1, frames}).value();
      const std::size_t stride = frames == 1 ? 3 : 1;
      for (std::size_t i = 0; i < steps.size(); i += stride) house.add(avatar, steps[i], work);
    }
    std::printf("%d steps of %d/120 s: %ld candidates, %ld overlap\n", work.steps,
                static_cast<int>(frames), work.candidates, work.overlaps);
    print("first of a segment", work.firsts);
    print("others", work.others);
    print("pairs of links", work.pairs);
    print("pairs of links, early-out", work.pairs_looked);
    print("pairs of links, the rest", work.pairs_left);
    ASSERT_GT(work.candidates, 5000);
    ASSERT_GT(work.pairs.size(), 500U);
    // Certify is asked about few of the candidates.
    EXPECT_LT(static_cast<long>(work.firsts.size() + work.others.size()), work.candidates / 10);
    // An early-out first at pairs of links halves the work, and settles most of them.
    EXPECT_LT(warp_evaluations(work.pairs_looked) + warp_evaluations(work.pairs_left),
              warp_evaluations(work.pairs) * 2 / 3);
  }
}

}  // namespace
}  // namespace tocsin::test::certify_order_test
