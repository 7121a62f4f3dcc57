// First stage of a batch: upload, how joints move, boxes of all links, swept links of those that
// are near something. docs/cuda.md, "Stages".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/batch/layout.h"
#include "core/motion/swept_link.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/stages/batch_data.h"

namespace tocsin::cuda {

/// Owns the batch on the device. Functions throw Failure; after that only upload() may be called.
class MotionStage {
 public:
  explicit MotionStage(std::shared_ptr<Device> device);

  /// Models that are there already are not copied again.
  void upload(const BatchData& batch);
  /// Motions of all joints, then boxes of all links. bounds: the room's.
  void move(const core::Box& bounds);
  [[nodiscard]] const core::batch::View& view() const { return view_; }
  /// Per link: holds scene::SweptLink::box of the step, and all that core::may_graze asks of a
  /// broadphase's box for every pair with a link of the same group. Device memory.
  [[nodiscard]] const core::Box* boxes() const { return boxes_.data(); }
  /// Swept links, and where their axes are at t = 0, of `count` links near[0], near[1], ... of the
  /// batch: the bits of scene::StepMotion::link() and core::evaluate(motion, 0). `near`: device.
  void sweep(const std::uint32_t* near, std::size_t count, const core::Box& bounds,
             Array<core::SweptLink>& swept, Array<core::AxisState>& at0);

 private:
  void upload_models(const ModelTable& models);

  std::shared_ptr<Device> device_;
  std::uint64_t models_version_ = 0;  ///< of what models_ to chains_ hold
  Array<core::batch::Model> models_;
  Array<core::batch::ModelLink> links_;
  Array<std::int32_t> chains_;
  Array<Transform> poses_;
  Array<core::batch::BatchStep> steps_;
  Array<core::batch::Group> groups_;
  Array<std::uint32_t> step_of_link_;
  Array<std::uint32_t> step_of_joint_;
  Array<std::uint8_t> masks_;
  Array<core::JointMotion> motions_;
  Array<core::Box> boxes_;
  core::batch::View view_;
};

}  // namespace tocsin::cuda
