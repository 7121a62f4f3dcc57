// The kernel bodies once more, with CountedNumber in place of double and in a namespace of their
// own: nothing but the core's headers is compiled that way. Sizes are compared at the end.
#include "selftest/measure/cuda_counted.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <compare>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

using CountedDouble = tocsin::selftest::CountedNumber;
#define tocsin tocsin_counted
#define double CountedDouble
#include "core/batch/certify.h"
#include "core/batch/motions.h"
#include "core/batch/tree_ask.h"
#undef double
#undef tocsin

namespace tocsin::selftest {
namespace {

namespace core = tocsin_counted::core;
namespace batch = tocsin_counted::core::batch;

static_assert(sizeof(CountedNumber) == sizeof(double) &&
              std::is_trivially_copyable_v<CountedNumber>);

/// What `work` has counted.
template <class Work>
Operations counted(const Work& work) {
  CountedNumber::done() = {};
  work();
  return CountedNumber::done();
}

}  // namespace

CountedBodies count_bodies(const CountedBatch& b) {
  const auto view = *static_cast<const batch::View*>(b.view);
  const auto room = *static_cast<const batch::RoomView*>(b.room);
  const auto bounds = *static_cast<const core::Box*>(b.bounds);
  const auto* const swept = static_cast<const core::SweptLink*>(b.swept);
  const auto tree = *static_cast<const batch::TreeView<6>*>(b.tree);
  CountedBodies out;

  std::vector<core::JointMotion> motions(b.joints);
  out.motions = counted([&] {
    for (std::size_t i = 0; i < b.joints; ++i) batch::MakeMotion{view, motions.data()}(i);
  });
  std::vector<core::Box> boxes(b.links);
  out.boxes = counted([&] {
    for (std::size_t i = 0; i < b.links; ++i) batch::MakeBox{view, bounds, boxes.data()}(i);
  });
  std::vector<core::SweptLink> made(b.near_count);
  std::vector<core::AxisState> made_at0(b.near_count);
  out.swept = counted([&] {
    for (std::size_t i = 0; i < b.near_count; ++i) {
      batch::MakeSwept{view, bounds, b.near, made.data(), made_at0.data()}(i);
    }
  });
  out.traversal = counted([&] {
    for (std::size_t i = 0; i < b.near_count; ++i) {
      batch::for_each_candidate(room, tree, swept[i], [](std::uint32_t) {});
    }
  });

  std::vector<batch::StepTally> tallies(view.step_count);
  const batch::NearRoom near{
      view,        room,          b.near, swept, static_cast<const core::AxisState*>(b.at0),
      b.tolerance, tallies.data()};
  const auto* const candidates = static_cast<const batch::Candidate*>(b.candidates);
  std::vector<std::uint8_t> kept(b.candidate_count);
  std::vector<CountedNumber> free_until(b.candidate_count);
  out.early_out = counted([&] {
    for (std::size_t i = 0; i < b.candidate_count; ++i) {
      batch::EarlyOuts{near, candidates, kept.data(), free_until.data()}(i);
    }
  });
  for (batch::StepTally& t : tallies) t = {};
  std::vector<std::uint64_t> keys(b.candidate_count);
  std::vector<core::Certificate> answers(b.candidate_count);
  const batch::Certifier certifier{near, keys.data(), answers.data()};
  out.certify = counted([&] {
    for (std::size_t i = 0; i < b.candidate_count; ++i) {
      if (kept[i] == 0 || free_until[i].value == batch::kOverlaps.value) continue;
      keys[i] = batch::key_of(candidates[i]);
      certifier.certify_survivor(static_cast<std::uint32_t>(i), core::kToEnd);
      ++out.survivors;
    }
  });
  for (const batch::StepTally& t : tallies) out.evaluations += t.evaluations;
  return out;
}

}  // namespace tocsin::selftest
