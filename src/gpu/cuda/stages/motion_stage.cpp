#include "gpu/cuda/stages/motion_stage.h"

#include <utility>

#include "core/batch/motions.h"
#include "core/batch/shapes.h"

namespace tocsin::cuda {

MotionStage::Place::Place(const std::shared_ptr<Device>& device)
    : models(device),
      links(device),
      chains(device),
      poses(device),
      steps(device),
      groups(device),
      masks(device),
      shapes(device),
      shape_corners(device),
      shape_features(device),
      shape_nodes(device),
      there(device),
      free(device) {}

MotionStage::MotionStage(std::shared_ptr<Device> device)
    : device_(std::move(device)),
      places_{Place(device_), Place(device_)},
      step_of_link_(device_),
      step_of_joint_(device_),
      motions_(device_),
      extra_(device_),
      boxes_(device_) {}

void MotionStage::Place::upload_models(const ModelTable& table) {
  if (models_version == table.version()) return;
  models_version = 0;  // until all is there
  models.upload(Stream::kUp, table.models());
  links.upload(Stream::kUp, table.links());
  chains.upload(Stream::kUp, table.chains());
  models_version = table.version();
}

void MotionStage::Place::upload_shapes(const ModelTable& table) {
  if (shapes_version == table.shapes_version()) return;
  shapes_version = 0;  // until all is there
  shapes.upload(Stream::kUp, table.shapes());
  shape_corners.upload(Stream::kUp, table.shape_corners());
  shape_features.upload(Stream::kUp, table.shape_features());
  shape_nodes.upload(Stream::kUp, table.shape_nodes());
  shapes_version = table.shapes_version();
}

void MotionStage::upload(BatchData& batch, std::size_t place) {
  Place& to = places_[place];
  to.free.wait_in(Stream::kUp);
  to.poses.upload(Stream::kUp, batch.poses.all());
  to.upload_models(batch.models);
  to.upload_shapes(batch.models);
  to.steps.upload(Stream::kUp, batch.steps.all());
  to.groups.upload(Stream::kUp, batch.groups.all());
  to.masks.upload(Stream::kUp, batch.masks.all());
  to.there.record(Stream::kUp);
  batch.copies_given();

  to.view = {};
  to.view.models = to.models.data();
  to.view.links = to.links.data();
  to.view.chains = to.chains.data();
  if (!to.shapes.empty()) {
    to.view.shapes = to.shapes.data();
    to.view.shape_corners = to.shape_corners.data();
    to.view.shape_features = to.shape_features.data();
    to.view.shape_nodes = to.shape_nodes.data();
  }
  to.view.poses = to.poses.data();
  to.view.steps = to.steps.data();
  to.view.groups = to.groups.data();
  to.view.masks = to.masks.data();
  to.view.step_count = static_cast<std::uint32_t>(batch.steps.size());
  to.view.link_count = static_cast<std::uint32_t>(batch.step_of_link.size());
  to.view.joint_count = batch.joint_count;
  to.view.group_count = static_cast<std::uint32_t>(batch.groups.size());
  to.view.margin = batch.margin;
}

void MotionStage::move(const core::Box& bounds, std::size_t place) {
  view_ = places_[place].view;
  step_of_link_.resize(view_.link_count);
  step_of_joint_.resize(view_.joint_count);
  motions_.resize(view_.joint_count);
  boxes_.resize(view_.link_count);
  view_.step_of_link = step_of_link_.data();
  view_.step_of_joint = step_of_joint_.data();
  view_.motions = motions_.data();
  places_[place].there.wait_in(Stream::kWork);
  device_->launch(view_.step_count,
                  core::batch::NumberStep{view_.steps, view_.models, step_of_link_.data(),
                                          step_of_joint_.data()});
  device_->launch(view_.joint_count, core::batch::MakeMotion{view_, motions_.data()});
  if (view_.shapes != nullptr) {
    extra_.resize(view_.link_count);
    device_->launch(view_.link_count, core::batch::MakeExtra{view_, bounds, extra_.data()});
    view_.extra = extra_.data();
  }
  device_->launch(view_.link_count, core::batch::MakeBox{view_, bounds, boxes_.data()});
}

void MotionStage::sweep(const std::uint32_t* near, std::size_t count, const core::Box& bounds,
                        Array<core::SweptLink>& swept, Array<core::AxisState>& at0) {
  swept.resize(count);
  at0.resize(count);
  device_->launch(count, core::batch::MakeSwept{view_, bounds, near, swept.data(), at0.data()});
}

}  // namespace tocsin::cuda
