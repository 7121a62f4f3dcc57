// First stage of a batch: upload, how joints move, boxes of all links, swept links of those that
// are near something. docs/cuda.md, "Stages".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/batch/layout.h"
#include "core/motion/swept_link.h"
#include "core/query/hull_tree.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/device/event.h"
#include "gpu/cuda/stages/batch_data.h"

namespace tocsin::cuda {

/// Owns batches on the device: while it works on one, the next is copied. Functions throw Failure;
/// after that, only the destructor may be called.
class MotionStage {
 public:
  explicit MotionStage(std::shared_ptr<Device> device);

  /// Batches that have a place.
  static constexpr std::size_t kPlaces = 2;

  /// Copies by Stream::kUp, without waiting, once the work on the batch that had this place is
  /// done. Models that are there already are not copied again.
  void upload(BatchData& batch, std::size_t place = 0);
  /// Motions of all joints, then boxes of all links, of the batch at this place. bounds: the
  /// room's.
  void move(const core::Box& bounds, std::size_t place = 0);
  /// All work on the batch is given: its place is free for the next.
  void done(std::size_t place) { places_[place].free.record(Stream::kWork); }
  /// Of the batch that moved.
  [[nodiscard]] const core::batch::View& view() const { return view_; }
  /// Per link: holds scene::SweptLink::box of the step, and all that core::may_graze asks of a
  /// broadphase's box for every pair with a link of the same group. Device memory.
  [[nodiscard]] const core::Box* boxes() const { return boxes_.data(); }
  /// Swept links, and where their axes are at t = 0, of `count` links near[0], near[1], ... of the
  /// batch: the bits of scene::StepMotion::link() and core::evaluate(motion, 0). `near`: device.
  void sweep(const std::uint32_t* near, std::size_t count, const core::Box& bounds,
             Array<core::SweptLink>& swept, Array<core::AxisState>& at0);

 private:
  /// What is copied of a batch.
  struct Place {
    explicit Place(const std::shared_ptr<Device>& device);
    void upload_models(const ModelTable& table);
    void upload_shapes(const ModelTable& table);
    std::uint64_t models_version = 0;  ///< of what models to chains hold
    Array<core::batch::Model> models;
    Array<core::batch::ModelLink> links;
    Array<std::int32_t> chains;
    Array<Transform> poses;
    Array<core::batch::BatchStep> steps;
    Array<core::batch::Group> groups;
    Array<std::uint8_t> masks;
    std::uint64_t shapes_version = 0;  ///< likewise, of shapes to shape_nodes
    Array<core::batch::BatchShape> shapes;
    Array<Vec3> shape_corners;
    Array<std::uint32_t> shape_features;
    Array<core::HullNode> shape_nodes;
    core::batch::View view;  ///< of these; the rest is the stage's
    Event there;             ///< all copies of it
    Event free;              ///< the last work on it
  };

  std::shared_ptr<Device> device_;
  std::array<Place, kPlaces> places_;
  Array<std::uint32_t> step_of_link_;
  Array<std::uint32_t> step_of_joint_;
  Array<core::JointMotion> motions_;
  Array<double> extra_;  ///< View::extra
  Array<core::Box> boxes_;
  core::batch::View view_;
};

}  // namespace tocsin::cuda
