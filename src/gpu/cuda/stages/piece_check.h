// One piece of a batch, from poses to contacts: what a device is asked at once. docs/cuda.md,
// "Stages".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/batch/layout.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/stages/batch_data.h"
#include "gpu/cuda/stages/broadphase.h"
#include "gpu/cuda/stages/certify_stage.h"
#include "gpu/cuda/stages/device_room.h"
#include "gpu/cuda/stages/kdop_bvh.h"
#include "gpu/cuda/stages/motion_stage.h"
#include "gpu/cuda/stages/stage.h"

namespace tocsin::cuda {

/// The room that a piece is checked in.
struct PieceRoom {
  const DeviceRoom& room;
  KdopBvh& tree;
  std::size_t objects;
};

struct PieceOptions {
  double margin = 0.0;
  double tolerance = 0.0;
  std::size_t budget = 0;  ///< bytes of the device; a single link, or pair, may need more
  bool meet = false;
};

/// Owns memory on the CPU and the device that is used again from piece to piece. Functions throw
/// Failure and std::bad_alloc; afterwards only the destructor may be called.
class PieceCheck {
 public:
  /// `costs`: stages add to theirs; null: nothing is measured.
  PieceCheck(std::shared_ptr<Device> device, std::array<StageCost, kStages>* costs);

  /// Checks the items; with `meet`, those of one group follow each other. Once `stop` asks for it,
  /// what is there means nothing.
  void check(const PieceRoom& room, std::span<const BatchItem> items, const PieceOptions& options,
             const std::stop_token& stop);

  /// What was found: contacts with the room in order of link and object, then those of links.
  [[nodiscard]] std::span<const core::batch::ContactRecord> records() const { return records_; }
  [[nodiscard]] std::span<const core::batch::StepTally> tallies() const { return tallied_; }
  [[nodiscard]] const BatchData& batch() const { return batch_; }

 private:
  void begin(const PieceRoom& room, std::span<const BatchItem> items, const PieceOptions& options);
  /// Fills near_: links near something active.
  void find_near(const PieceRoom& room);
  void drop_inactive(const PieceRoom& room);
  void check_near(const PieceRoom& room, const PieceOptions& options, const std::stop_token& stop);
  /// Links near_[begin], ..., near_[begin + count - 1].
  void check_links(const PieceRoom& room, std::size_t begin, std::size_t count,
                   const PieceOptions& options, const std::stop_token& stop);
  void check_pairs(const PieceOptions& options, const std::stop_token& stop);
  void certify_pairs(const Array<core::batch::LinkPair>& pairs, const PieceOptions& options);
  void check_self(const PieceOptions& options, const std::stop_token& stop);
  void stage(Stage stage);

  std::shared_ptr<Device> device_;
  std::array<StageCost, kStages>* costs_;
  std::vector<BatchItem> items_;
  BatchData batch_;
  MotionStage motion_;
  CertifyStage certify_;
  Broadphase broadphase_;
  Array<core::batch::StepTally> tallies_;
  Array<std::uint32_t> near_;
  Array<std::uint32_t> kept_;  ///< of them
  Array<core::SweptLink> swept_;
  Array<core::AxisState> at0_;
  Array<std::uint64_t> offsets_;
  Array<core::batch::Candidate> candidates_;
  Array<core::batch::LinkPair> self_pairs_;
  Array<core::batch::LinkPair> near_pairs_;
  Array<std::uint8_t> flags_;
  Array<std::uint32_t> marks_;
  Array<std::uint32_t> picked_;
  std::vector<core::batch::ContactRecord> records_;
  std::vector<core::batch::StepTally> tallied_;
};

}  // namespace tocsin::cuda
