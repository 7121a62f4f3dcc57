#include "cpu/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/kernels.cpp"  // this file, once per SIMD target
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#include "cpu/kernels/kernel_advance-inl.h"
#include "cpu/kernels/kernel_early_out-inl.h"
#include "cpu/kernels/kernel_evaluate-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {

core::AxisState evaluate_now(const core::LinkMotion& link, double t) {
  return evaluate_lanes(link, t);
}

core::FrameState evaluate_frame_now(const core::FrameMotion& frame, double t) {
  return evaluate_lanes(frame, t);
}

core::Certificate certify_now(const core::LinkMotion& link, const core::AxisState& at0,
                              const core::Triangle& triangle, double tolerance, double stop_after) {
  return core::certify<&evaluate_now>(link, at0, triangle, tolerance, stop_after);
}

EarlyOut early_out_now(const core::LinkMotion& link, const core::AxisState& at0,
                       const scene::TriangleBlock& block) {
  return early_out_of_block(link, at0, block);
}

Advanced advance_now(const core::LinkMotion& link, const core::AxisState& at0,
                     const scene::TriangleBlock& block, double tolerance, double stop_after) {
  return advance_all(link, at0, block, tolerance, stop_after);
}

}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tocsin::cpu {

HWY_EXPORT(evaluate_now);
HWY_EXPORT(evaluate_frame_now);
HWY_EXPORT(certify_now);
HWY_EXPORT(early_out_now);
HWY_EXPORT(advance_now);

core::AxisState evaluate(const core::LinkMotion& link, double t) {
  return HWY_DYNAMIC_DISPATCH(evaluate_now)(link, t);
}

core::FrameState evaluate_frame(const core::FrameMotion& frame, double t) {
  return HWY_DYNAMIC_DISPATCH(evaluate_frame_now)(frame, t);
}

core::Certificate certify(const core::LinkMotion& link, const core::AxisState& at0,
                          const core::Triangle& triangle, double tolerance, double stop_after) {
  return HWY_DYNAMIC_DISPATCH(certify_now)(link, at0, triangle, tolerance, stop_after);
}

EarlyOut early_out(const core::LinkMotion& link, const core::AxisState& at0,
                   const scene::TriangleBlock& block) {
  return HWY_DYNAMIC_DISPATCH(early_out_now)(link, at0, block);
}

Advanced advance(const core::LinkMotion& link, const core::AxisState& at0,
                 const scene::TriangleBlock& block, double tolerance, double stop_after) {
  return HWY_DYNAMIC_DISPATCH(advance_now)(link, at0, block, tolerance, stop_after);
}

}  // namespace tocsin::cpu
#endif
