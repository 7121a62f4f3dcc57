#include "detect/step/moving_links.h"

#include "cpu/kernels/kernels.h"

namespace tocsin::detect {

const core::AxisState& MovingLinks::at0(std::size_t i) {
  if (at0_step_.size() < count()) {
    at0_.resize(count());
    at0_step_.resize(count(), 0);
  }
  if (at0_step_[i] != now_) {
    at0_[i] = cpu::evaluate(motion_.motion(i), 0.0);
    at0_step_[i] = now_;
  }
  return at0_[i];
}

void MovingLinks::need_boxes() {
  if (boxes_step_ == now_) return;
  boxes_.clear();
  for (std::size_t i = 0; i < count(); ++i) boxes_.push_back(motion_.coarse_box(i));
  boxes_step_ = now_;
}

}  // namespace tocsin::detect
