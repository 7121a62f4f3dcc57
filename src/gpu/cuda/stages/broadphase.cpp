#include "gpu/cuda/stages/broadphase.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tocsin::cuda {

namespace batch = core::batch;

namespace {

/// Comparisons that are looked at together: they need 20 bytes for 64 of them, so 5 MB. More than
/// 50,000 avatars in a hall make. Greater: more memory where everybody stands in everybody's way;
/// less: more launches there, and every stretch is then looked at twice.
constexpr std::uint64_t kComparedTogether = std::uint64_t{1} << 24U;

/// Up to so many objects, links ask them in the order they have. More, and sorting them costs less
/// than blocks of objects that lie far from each other.
constexpr std::size_t kObjectsInOrder = 1024;

constexpr std::uint64_t kMostPairs = 0xFFFFFFFFU;

std::size_t chunks_of(batch::SweepStretch stretch) {
  return static_cast<std::size_t>((stretch.end - stretch.begin + batch::kSweepChunk - 1) /
                                  batch::kSweepChunk);
}

void check_count(std::uint64_t pairs, const char* of, const Where& where = Where::current()) {
  if (pairs <= kMostPairs) return;
  throw Failure(
      FailureKind::kMemory,
      fmt::format("broadphase: {} pairs of {} overlap, and at most {} can be listed at once", pairs,
                  of, kMostPairs),
      where);
}

}  // namespace

Broadphase::Broadphase(std::shared_ptr<Device> device)
    : device_(std::move(device)),
      order_(device_),
      step_boxes_(device_),
      holds_(device_),
      masks_(device_),
      counts_(device_),
      offsets_(device_),
      step_pairs_(device_),
      partners_(device_),
      blocks_(device_),
      large_blocks_(device_),
      pairs_(device_) {}

const Array<batch::LinkPair>& Broadphase::pairs(const batch::View& view, const core::Box* boxes,
                                                batch::StepTally* tallies) {
  take(0, count(view, boxes, 0, view.step_count, nullptr));
  tally(tallies);
  return pairs_;
}

std::uint64_t Broadphase::count(const batch::View& view, const core::Box* boxes,
                                std::uint32_t first_step, std::uint32_t last_step,
                                batch::StepTally* tallies) {
  counters_ = {};
  counted_ = 0;
  find_steps(view, boxes, {first_step, last_step});
  const std::size_t found = step_pairs_.size();
  counters_.step_pairs = found;
  if (found == 0) return 0;

  partners_.resize(static_cast<std::size_t>(view.step_count) + 1);
  device_->launch(partners_.size(),
                  batch::FirstPartners{step_pairs_.data(), found, partners_.data()});
  meetings_ = {view, boxes, step_boxes_.data(), step_pairs_.data(), partners_.data()};
  counts_.resize(view.link_count);
  device_->launch(view.link_count, batch::CountMeetings{meetings_, counts_.data()});
  counted_ = sum_up(view.link_count);
  tally(tallies);
  return counted_;
}

const Array<batch::LinkPair>& Broadphase::take(std::uint64_t begin, std::uint64_t end) {
  end = std::min(end, counted_);
  begin = std::min(begin, end);
  check_count(end - begin, "links");
  pairs_.resize(static_cast<std::size_t>(end - begin));
  if (begin == end) return pairs_;
  device_->launch(meetings_.view.link_count,
                  batch::FillMeetings{meetings_, offsets_.data(), begin, end, pairs_.data()});
  return pairs_;
}

void Broadphase::tally(batch::StepTally* tallies) {
  if (tallies == nullptr || counted_ == 0) return;
  device_->launch(meetings_.view.step_count,
                  batch::TallyMeetings{meetings_.view, offsets_.data(), tallies});
}

std::uint64_t Broadphase::sum_up(std::size_t links) {
  offsets_.resize(links + 1);
  return device_->exclusive_sum(counts_.data(), offsets_.data(), links);
}

void Broadphase::find_steps(const batch::View& view, const core::Box* boxes,
                            batch::StepsFromTo range) {
  const std::size_t steps = view.step_count;
  step_pairs_.resize(0);
  if (steps < 2 || range.first >= range.last) return;
  step_boxes_.resize(steps);
  holds_.resize(steps);
  device_->launch(steps, batch::StepBoxes{view, boxes, step_boxes_.data(), holds_.data()});
  order_.sort(step_boxes_.data(), holds_.data(), steps, view.steps, view.group_count);
  counters_.sweep_tests = order_.tests();

  const std::uint64_t tests = order_.tests();
  const auto stretch = [&](std::uint64_t at) {
    return batch::SweepStretch{at, std::min(tests, at + kComparedTogether)};
  };
  std::uint64_t found = 0;
  for (std::uint64_t at = 0; at < tests; at += kComparedTogether)
    found += compare(stretch(at), range);
  check_count(found, "steps");
  step_pairs_.resize(static_cast<std::size_t>(found));
  if (found == 0) return;
  std::uint64_t filled = 0;
  for (std::uint64_t at = 0; at < tests; at += kComparedTogether) {
    if (tests > kComparedTogether)
      found = compare(stretch(at), range);  // else it is known from above
    device_->launch(chunks_of(stretch(at)),
                    batch::FillSteps{order_.row(), stretch(at), order_.items(), masks_.data(),
                                     offsets_.data(), step_pairs_.data() + filled});
    filled += found;
  }
  device_->sort(step_pairs_.data(), step_pairs_.size(), KeyBits::below(steps, steps));
}

std::uint64_t Broadphase::compare(batch::SweepStretch stretch, batch::StepsFromTo range) {
  const std::size_t chunks = chunks_of(stretch);
  masks_.resize(chunks);
  counts_.resize(chunks);
  offsets_.resize(chunks + 1);
  device_->launch(chunks, batch::SweepSteps{order_.row(), stretch, order_.items(), range,
                                            masks_.data(), counts_.data()});
  return device_->exclusive_sum(counts_.data(), offsets_.data(), chunks);
}

void Broadphase::drop_inactive(const batch::View& view, const core::Box* boxes,
                               const core::Box* objects, std::uint32_t object_count,
                               std::uint8_t* flags) {
  if (view.link_count == 0 || object_count == 0) return;
  batch::DropInactive body{view, {}, nullptr, object_count, boxes, flags};
  if (object_count <= kObjectsInOrder) {
    body.objects = blocks_of(objects, object_count);
  } else {
    holds_.resize(object_count);
    device_->launch(object_count, batch::FlagBoxes{objects, holds_.data()});
    order_.sort(objects, holds_.data(), object_count, nullptr, 1);
    body.objects = blocks_of(order_.boxes(), order_.count());
    body.order = order_.items();
  }
  device_->launch(view.link_count, body);
}

batch::ObjectBlocks Broadphase::blocks_of(const core::Box* boxes, std::size_t count) {
  blocks_.resize((count + batch::kObjectBlock - 1) / batch::kObjectBlock);
  device_->launch(blocks_.size(), batch::BlockBoxes{boxes, count, blocks_.data()});
  large_blocks_.resize((blocks_.size() + batch::kObjectBlock - 1) / batch::kObjectBlock);
  device_->launch(large_blocks_.size(),
                  batch::BlockBoxes{blocks_.data(), blocks_.size(), large_blocks_.data()});
  return {boxes, blocks_.data(), large_blocks_.data(), count};
}

}  // namespace tocsin::cuda
