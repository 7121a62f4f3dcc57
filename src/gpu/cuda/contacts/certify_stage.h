// Last stage of a batch: from candidates to proved contacts, on the device. docs/cuda.md, "Stages".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/batch/layout.h"
#include "core/batch/segments.h"
#include "core/motion/link_motion.h"
#include "core/motion/swept_link.h"
#include "core/query/link_pair.h"
#include "core/query/pair_contact.h"
#include "core/query/query.h"
#include "gpu/cuda/contacts/candidate_keys.h"
#include "gpu/cuda/contacts/piece_result.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"

namespace tocsin::cuda {

/// The near links of a batch.
struct NearLinks {
  const std::uint32_t* links = nullptr;  ///< of the batch, ascending; device
  const core::SweptLink* swept = nullptr;
  const core::AxisState* at0 = nullptr;  ///< evaluate(motion, 0)
  std::size_t count = 0;
};

/// Owns memory that is used again. Functions throw Failure.
class CertifyStage {
 public:
  explicit CertifyStage(std::shared_ptr<Device> device);

  /// The contacts of all active (link, object) pairs, in order of link, then object, sent to `out`:
  /// the bits that detail::DetectorCore finds with Contacts::kPairs. Counters are added to its
  /// tallies. candidates: in any order, each once.
  void with_room(const core::batch::View& view, const core::batch::RoomView& room,
                 const NearLinks& near, const Array<core::batch::Candidate>& candidates,
                 double tolerance, PieceResult& out);

  /// The contacts of pairs of links, in their order, sent to `out`: the bits of
  /// detect::contact_of_links with nothing to stop after. pairs: device.
  void of_links(const core::batch::View& view, const Array<core::batch::LinkPair>& pairs,
                double tolerance, PieceResult& out);

  /// Bytes that a candidate needs while with_room() works, at most; the same for a pair.
  [[nodiscard]] static std::size_t bytes_per_candidate();
  [[nodiscard]] static std::size_t bytes_per_pair();

 private:
  /// Does the early-out of all candidates, and sorts what is left into segments, of which only the
  /// device knows how many. Returns how many survivors are left.
  std::size_t find_segments(const core::batch::NearRoom& near_room, std::size_t near_count,
                            const Array<core::batch::Candidate>& candidates);
  std::size_t keep_survivors(const core::batch::NearRoom& near_room, std::size_t near_count,
                             const Array<core::batch::Candidate>& candidates);
  void certify_segments(const core::batch::NearRoom& near_room);
  /// Indices of flags that are set, in picked_; `count`: how many.
  void pick(const Array<std::uint8_t>& flags, std::uint64_t* count);

  std::shared_ptr<Device> device_;
  Array<std::uint8_t> flags_;   ///< per candidate: kept; then per segment or pair of links: touched
  Array<std::uint8_t> wanted_;  ///< per survivor or pair of links: certify has still to be asked
  Array<std::uint32_t> picked_;
  Array<std::uint64_t> count_;  ///< of picked_, on the device
  // Per candidate.
  Array<double> free_until_;
  // Per survivor of the early-out.
  Array<std::uint32_t> chosen_;  ///< the candidate
  CandidateKeys keys_;
  Array<core::Certificate> answers_;
  Array<core::batch::Segment> segments_;  ///< room for as many as survivors
  Array<core::PairContact> pairs_;        ///< per pair of links
  Array<core::SeenPair> seen_;            ///< per pair that the early-out leaves; room for all
};

}  // namespace tocsin::cuda
