// Contacts of links that have shapes, on the device. docs/cuda.md, "Shapes".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/batch/shapes.h"
#include "gpu/cuda/contacts/candidate_keys.h"
#include "gpu/cuda/contacts/certify_stage.h"
#include "gpu/cuda/contacts/piece_result.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"

namespace tocsin::cuda {

/// Owns memory that is used again. Functions throw Failure.
class ShapeStage {
 public:
  explicit ShapeStage(std::shared_ptr<Device> device);

  /// As CertifyStage::with_room(), for near links that have shapes: the bits of
  /// detect::ShapeContacts::with_room() with nothing to stop after. Steps of which a search is
  /// given up are marked in the tallies.
  void with_room(const core::batch::View& view, const core::batch::RoomView& room,
                 const NearLinks& near, const Array<core::batch::Candidate>& candidates,
                 double tolerance, PieceResult& out);

  /// As CertifyStage::of_links(), for pairs of which one link has a shape: the bits of
  /// detect::ShapeContacts::with_link().
  void of_links(const core::batch::View& view, const Array<core::batch::LinkPair>& pairs,
                double tolerance, PieceResult& out);

  /// Bytes that a candidate needs while with_room() works, at most; the same for a pair.
  [[nodiscard]] static std::size_t bytes_per_candidate();
  [[nodiscard]] static std::size_t bytes_per_pair();

 private:
  /// Keys of the candidates that the early-out leaves, in order. Returns how many.
  std::size_t keep_suspects(const core::batch::NearRoom& near_room, std::size_t near_count,
                            const Array<core::batch::Candidate>& candidates);
  /// Indices of flags that are set, in picked_; `count`: how many, on the device.
  void pick(const Array<std::uint8_t>& flags, std::uint64_t* count);

  std::shared_ptr<Device> device_;
  Array<std::uint8_t> flags_;  ///< per candidate, segment or pair
  Array<std::uint32_t> picked_;
  CandidateKeys keys_;
  Array<core::batch::ShapeSegment> segments_;
  Array<core::HullWalk::Contact> contacts_;  ///< per pair
};

}  // namespace tocsin::cuda
