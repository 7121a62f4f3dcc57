#include "gpu/cuda/contacts/shape_stage.h"

#include <utility>

namespace tocsin::cuda {

namespace batch = core::batch;

ShapeStage::ShapeStage(std::shared_ptr<Device> device)
    : device_(device),
      flags_(device),
      picked_(device),
      keys_(device),
      segments_(device),
      contacts_(std::move(device)) {}

void ShapeStage::pick(const Array<std::uint8_t>& flags, std::uint64_t* count) {
  picked_.resize(flags.size());
  device_->select_there(flags.data(), picked_.data(), flags.size(), count);
}

std::size_t ShapeStage::keep_suspects(const batch::NearRoom& near_room, std::size_t near_count,
                                      const Array<batch::Candidate>& candidates) {
  flags_.resize(candidates.size());
  device_->launch(candidates.size(),
                  batch::ShapeEarlyOuts{near_room, candidates.data(), flags_.data()});
  picked_.resize(candidates.size());
  const std::size_t count = device_->select(flags_.data(), picked_.data(), candidates.size());
  keys_.sort(candidates, picked_, count, KeyBits::below(near_count, near_room.room.triangle_count));
  return count;
}

void ShapeStage::with_room(const batch::View& view, const batch::RoomView& room,
                           const NearLinks& near, const Array<batch::Candidate>& candidates,
                           double tolerance, PieceResult& out) {
  if (candidates.empty()) return;
  const batch::NearRoom near_room{view,     room,      near.links,   near.swept,
                                  near.at0, tolerance, out.tallies()};
  const std::size_t count = keep_suspects(near_room, near.count, candidates);
  if (count == 0) return;
  keys_.number(room);
  segments_.resize(count);
  device_->launch(count, batch::PlaceShapeSegments{keys_.ranks(), count, segments_.data()});
  flags_.resize(count);
  flags_.fill(0);  // beyond the last segment
  device_->launch_up_to(
      keys_.segment_count(), count,
      batch::SearchRoom{near_room, keys_.data(), segments_.data(), flags_.data()});
  const PieceResult::Room to = out.room_for(count);
  pick(flags_, to.count);
  device_->launch_up_to(to.count, count,
                        batch::RecordShapeContacts{near_room, keys_.data(), segments_.data(),
                                                   picked_.data(), to.records});
  out.written();
}

void ShapeStage::of_links(const batch::View& view, const Array<batch::LinkPair>& pairs,
                          double tolerance, PieceResult& out) {
  out.send();
  if (pairs.empty()) return;
  const std::size_t all = pairs.size();
  contacts_.resize(all);
  flags_.resize(all);
  device_->launch(all, batch::SearchPairs{view, pairs.data(), tolerance, out.tallies(),
                                          contacts_.data(), flags_.data()});
  const PieceResult::Room to = out.room_for(all);
  pick(flags_, to.count);
  device_->launch_up_to(
      to.count, all,
      batch::RecordShapePairs{view, pairs.data(), contacts_.data(), picked_.data(), to.records});
  out.written();
}

std::size_t ShapeStage::bytes_per_candidate() {
  // Sorting takes keys and values once more; contacts lie there twice.
  constexpr std::size_t kSort = 2 * (sizeof(std::uint64_t) + sizeof(std::uint32_t));
  return kSort + sizeof(std::uint8_t) + sizeof(std::uint32_t) + sizeof(std::uint64_t) +
         sizeof(batch::ShapeSegment) + 2 * sizeof(batch::ContactRecord);
}

std::size_t ShapeStage::bytes_per_pair() {
  return sizeof(core::HullWalk::Contact) + 2 * sizeof(batch::ContactRecord) + sizeof(std::uint8_t) +
         sizeof(std::uint32_t);
}

}  // namespace tocsin::cuda
