#include "gpu/cuda/stages/motion_stage.h"

#include <utility>

#include "core/batch/motions.h"

namespace tocsin::cuda {

MotionStage::MotionStage(std::shared_ptr<Device> device)
    : device_(std::move(device)),
      models_(device_),
      links_(device_),
      chains_(device_),
      poses_(device_),
      steps_(device_),
      groups_(device_),
      step_of_link_(device_),
      step_of_joint_(device_),
      masks_(device_),
      motions_(device_),
      boxes_(device_) {}

void MotionStage::upload_models(const ModelTable& models) {
  if (models_version_ == models.version()) return;
  models_version_ = 0;  // until all is there
  models_.upload(models.models());
  links_.upload(models.links());
  chains_.upload(models.chains());
  models_version_ = models.version();
}

void MotionStage::upload(const BatchData& batch) {
  poses_.upload(batch.poses.all());
  upload_models(batch.models);
  steps_.upload(batch.steps.all());
  groups_.upload(batch.groups.all());
  masks_.upload(batch.masks.all());
  step_of_link_.resize(batch.step_of_link.size());
  step_of_joint_.resize(batch.joint_count);
  motions_.resize(batch.joint_count);
  boxes_.resize(batch.step_of_link.size());

  view_ = {};
  view_.models = models_.data();
  view_.links = links_.data();
  view_.chains = chains_.data();
  view_.poses = poses_.data();
  view_.steps = steps_.data();
  view_.groups = groups_.data();
  view_.step_of_link = step_of_link_.data();
  view_.step_of_joint = step_of_joint_.data();
  view_.masks = masks_.data();
  view_.motions = motions_.data();
  view_.step_count = static_cast<std::uint32_t>(batch.steps.size());
  view_.link_count = static_cast<std::uint32_t>(batch.step_of_link.size());
  view_.joint_count = batch.joint_count;
  view_.group_count = static_cast<std::uint32_t>(batch.groups.size());
  view_.margin = batch.margin;
  device_->launch(view_.step_count,
                  core::batch::NumberStep{view_.steps, view_.models, step_of_link_.data(),
                                          step_of_joint_.data()});
}

void MotionStage::move(const core::Box& bounds) {
  device_->launch(view_.joint_count, core::batch::MakeMotion{view_, motions_.data()});
  device_->launch(view_.link_count, core::batch::MakeBox{view_, bounds, boxes_.data()});
}

void MotionStage::sweep(const std::uint32_t* near, std::size_t count, const core::Box& bounds,
                        Array<core::SweptLink>& swept, Array<core::AxisState>& at0) {
  swept.resize(count);
  at0.resize(count);
  device_->launch(count, core::batch::MakeSwept{view_, bounds, near, swept.data(), at0.data()});
}

}  // namespace tocsin::cuda
