// A tree of k-DOPs over a room's triangles, built, fitted and asked on the device: linear BVH
// (Karras 2012), paper 001 for the volumes. docs/cuda.md, "Trees".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/batch/layout.h"
#include "core/motion/swept_link.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"

namespace tocsin::cuda {

/// k is chosen when the tree is built: 6, 14, 18 or 26. Functions throw Failure.
class KdopBvh {
 public:
  virtual ~KdopBvh() = default;
  /// Builds the tree; any number of triangles, 0 included. The room must outlive it. lane_bits: of
  /// Traversal.
  static std::unique_ptr<KdopBvh> build(std::shared_ptr<Device> device,
                                        const core::batch::RoomView& room, int k,
                                        unsigned lane_bits = 0);
  /// The same triangles at other places: volumes are fitted anew, the tree's shape stays.
  virtual void refit(const core::batch::RoomView& room) = 0;
  /// Another tree of the same shape and volumes, copied on the device: to be refitted.
  [[nodiscard]] virtual std::unique_ptr<KdopBvh> copy() const = 0;
  [[nodiscard]] virtual int k() const = 0;
  /// Bytes on the device.
  [[nodiscard]] virtual std::size_t bytes() const = 0;

  /// Gives back the memory that answers needed; the next ones take it anew.
  virtual void forget() = 0;

  /// flags, per link: 1 if its box meets the box of some triangle, else 0. boxes: per link, device.
  virtual void flag_near(const core::Box* boxes, std::size_t count, Array<std::uint8_t>& flags) = 0;

  /// Threads a link.
  [[nodiscard]] virtual std::size_t lanes() const = 0;

  /// With one lane. offsets: count + 1; offsets[i + 1] - offsets[i] is how many triangles swept[i]
  /// may touch: all for which core::may_graze is true (every triangle that certify would not call
  /// free), none for which core::may_touch is false; with k = 6 exactly those for which that is
  /// true. near: the batch's index of each. tallies, per step: what the tree tested is added to
  /// volume_tests and primitive_tests; the caller, which knows the active pairs, counts candidates;
  /// null: they are not. With several lanes a link has as many offsets, which follow each other.
  /// Returns the last offset.
  virtual std::uint64_t count_candidates(const core::batch::View& view, const std::uint32_t* near,
                                         const core::SweptLink* swept, std::size_t count,
                                         Array<std::uint64_t>& offsets,
                                         core::batch::StepTally* tallies) = 0;
  /// Writes those of the links begin <= i < end to candidates[offsets[i] - offsets[begin]] and
  /// following, in an order that is always the same; `near` of a candidate is i. `swept` and
  /// `offsets`: as in count_candidates(). count: offsets[end] - offsets[begin]; `candidates` gets
  /// that size.
  virtual void find_candidates(const core::SweptLink* swept, std::size_t begin, std::size_t end,
                               const Array<std::uint64_t>& offsets, std::uint64_t count,
                               Array<core::batch::Candidate>& candidates) = 0;
  /// Both in one traversal, where `candidates` has room: it gets the candidates of all links, in
  /// any order, and their number as its size. Returns how many there are. If that is more than
  /// there is room for, nothing of `candidates` means anything; the tallies are right all the same.
  virtual std::uint64_t append_candidates(const core::batch::View& view, const std::uint32_t* near,
                                          const core::SweptLink* swept, std::size_t count,
                                          Array<core::batch::Candidate>& candidates,
                                          core::batch::StepTally* tallies) = 0;
};

}  // namespace tocsin::cuda
