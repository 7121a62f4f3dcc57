#include "gpu/cuda/contacts/certify_stage.h"

#include <utility>

#include "core/batch/certify.h"
#include "core/batch/certify_links.h"

namespace tocsin::cuda {

namespace batch = core::batch;

CertifyStage::CertifyStage(std::shared_ptr<Device> device)
    : device_(device),
      flags_(device),
      wanted_(device),
      picked_(device),
      count_(device),
      free_until_(device),
      chosen_(device),
      keys_(device),
      answers_(device),
      segments_(device),
      pairs_(device),
      seen_(std::move(device)) {}

void CertifyStage::pick(const Array<std::uint8_t>& flags, std::uint64_t* count) {
  picked_.resize(flags.size());
  device_->select_there(flags.data(), picked_.data(), flags.size(), count);
}

std::size_t CertifyStage::keep_survivors(const batch::NearRoom& near_room, std::size_t near_count,
                                         const Array<batch::Candidate>& candidates) {
  flags_.resize(candidates.size());
  free_until_.resize(candidates.size());
  device_->launch(candidates.size(), batch::EarlyOuts{near_room, candidates.data(), flags_.data(),
                                                      free_until_.data()});
  chosen_.resize(candidates.size());
  const std::size_t count = device_->select(flags_.data(), chosen_.data(), candidates.size());
  keys_.sort(candidates, chosen_, count, KeyBits::below(near_count, near_room.room.triangle_count));
  return count;
}

std::size_t CertifyStage::find_segments(const batch::NearRoom& near_room, std::size_t near_count,
                                        const Array<batch::Candidate>& candidates) {
  const std::size_t survivors = keep_survivors(near_room, near_count, candidates);
  if (survivors == 0) return 0;
  keys_.number(near_room.room);
  segments_.resize(survivors);
  device_->launch(survivors, batch::PlaceSegments{keys_.ranks(), survivors, segments_.data()});
  return survivors;
}

void CertifyStage::certify_segments(const batch::NearRoom& near_room) {
  const std::size_t count = keys_.size();
  const batch::Survivors survivors{free_until_.data(), chosen_.data(), keys_.ranks()};
  batch::Segment* const segments = segments_.data();
  device_->launch(count, batch::FindUrgency{survivors, segments});
  device_->launch(count, batch::FindFirst{survivors, segments});
  flags_.resize(count);
  flags_.fill(0);  // beyond the last segment
  device_->launch_up_to(keys_.segment_count(), count,
                        batch::OpenSegments{near_room.room, keys_.data(), segments, flags_.data()});
  count_.resize(1);
  pick(flags_, count_.data());
  answers_.resize(count);
  const batch::Certifier certifier{near_room, keys_.data(), answers_.data()};
  device_->launch_up_to(count_.data(), count,
                        batch::CertifyFirsts{certifier, picked_.data(), segments});
  wanted_.resize(count);
  device_->launch(count, batch::WantOthers{survivors, segments, wanted_.data()});
  pick(wanted_, count_.data());
  device_->launch_up_to(count_.data(), count,
                        batch::CertifyOthers{certifier, survivors, picked_.data(), segments});
  device_->launch_up_to(keys_.segment_count(), count,
                        batch::FoldSegments{certifier, wanted_.data(), segments, flags_.data()});
}

void CertifyStage::with_room(const batch::View& view, const batch::RoomView& room,
                             const NearLinks& near, const Array<batch::Candidate>& candidates,
                             double tolerance, PieceResult& out) {
  if (candidates.empty()) return;
  const batch::NearRoom near_room{view,     room,      near.links,   near.swept,
                                  near.at0, tolerance, out.tallies()};
  const std::size_t survivors = find_segments(near_room, near.count, candidates);
  if (survivors == 0) return;
  certify_segments(near_room);
  const PieceResult::Room to = out.room_for(survivors);
  pick(flags_, to.count);
  device_->launch_up_to(
      to.count, survivors,
      batch::RecordContacts{near_room, keys_.data(), segments_.data(), picked_.data(), to.records});
  out.written();
}

void CertifyStage::of_links(const batch::View& view, const Array<batch::LinkPair>& pairs,
                            double tolerance, PieceResult& out) {
  out.send();
  if (pairs.empty()) return;
  const std::size_t all = pairs.size();
  flags_.resize(all);
  wanted_.resize(all);
  pairs_.resize(all);
  device_->launch(all, batch::LookAtPairs{view, pairs.data(), out.tallies(), pairs_.data(),
                                          flags_.data(), wanted_.data()});
  count_.resize(1);
  pick(wanted_, count_.data());
  seen_.resize(all);
  device_->launch_up_to(count_.data(), all,
                        batch::SeePairs{view, pairs.data(), picked_.data(), seen_.data()});
  device_->launch_up_to(
      count_.data(), all,
      batch::CertifyPairs{view, pairs.data(), picked_.data(), seen_.data(), tolerance,
                          out.tallies(), pairs_.data(), flags_.data()});
  const PieceResult::Room to = out.room_for(all);
  pick(flags_, to.count);
  device_->launch_up_to(
      to.count, all,
      batch::RecordPairs{view, pairs.data(), pairs_.data(), picked_.data(), to.records});
  out.written();
}

std::size_t CertifyStage::bytes_per_candidate() {
  constexpr std::size_t kEarlyOut = sizeof(std::uint8_t) + sizeof(double) + sizeof(std::uint32_t);
  // If all survive, and each is a segment and a contact of its own. Sorting takes keys and values
  // once more.
  constexpr std::size_t kSort = 2 * (sizeof(std::uint64_t) + sizeof(std::uint32_t));
  constexpr std::size_t kSurvivor =
      sizeof(std::uint32_t) + sizeof(std::uint64_t) + sizeof(core::Certificate);
  // Contacts lie there twice: a list is written while another one is copied.
  constexpr std::size_t kSegment = sizeof(batch::Segment) + 2 * sizeof(batch::ContactRecord) +
                                   2 * sizeof(std::uint8_t) + sizeof(std::uint32_t);
  return kEarlyOut + kSort + kSurvivor + kSegment;
}

std::size_t CertifyStage::bytes_per_pair() {
  return sizeof(core::PairContact) + sizeof(core::SeenPair) + 2 * sizeof(batch::ContactRecord) +
         2 * sizeof(std::uint8_t) + sizeof(std::uint32_t);
}

}  // namespace tocsin::cuda
