// A room on an OpenGL device: for many steps at once, which clusters of the room do their links not
// stay clear of? docs/gl.md, "The way of a step".
#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "detect/step/exact_step.h"
#include "detect/step/kept_clusters.h"
#include "detect/step/question.h"
#include "devices/gl/slab_requests.h"
#include "gpu/gl/context/device_thread.h"
#include "gpu/gl/visibility/visibility.h"
#include "scene/tree/clusters.h"

namespace tocsin::devices {

/// Immutable; safe to share between threads, which wait for each other at the device.
class GlRoom {
 public:
  using Made = Result<std::shared_ptr<const GlRoom>>;

  /// Opens the device and uploads the room. Errors: kUnavailable: there is no such device, or it
  /// cannot do what is needed; kResource: its memory. Throws std::bad_alloc.
  static Made create(std::shared_ptr<const detect::ExactStep> exact);
  /// The same room with other vertices, on the same device; clusters keep their triangles.
  [[nodiscard]] Made with_environment(std::shared_ptr<const detect::ExactStep> exact) const;

  /// kept[i] for questions[i]: what certify has to look at. A step with a problem (step_problem.h)
  /// gets nothing. Errors: kResource: the device; kCancelled. Throws std::bad_alloc.
  Status cull(std::span<const detect::Question> questions, const std::stop_token& stop,
              std::vector<detect::KeptClusters>& kept) const;
  /// Asks the device: seen[i] of pair i. Errors: kResource.
  Status ask(const SlabRequests& requests, std::vector<gl::Seen>& seen) const;

  /// How many of the questions, from the first on, are asked at once; at least one.
  [[nodiscard]] static std::size_t round_of(std::span<const detect::Question> questions,
                                            std::size_t slabs_a_link);

  [[nodiscard]] const detect::ExactStep& exact() const { return *exact_; }
  [[nodiscard]] const Environment& environment() const { return exact_->environment(); }
  [[nodiscard]] const DetectorOptions& options() const { return exact_->options(); }
  [[nodiscard]] const scene::Clusters& clusters() const { return clusters_; }
  [[nodiscard]] const core::Box& bounds() const { return exact_->tree().bounds(); }
  /// For tests: to let it fail.
  [[nodiscard]] gl::DeviceThread& device_thread() const { return *thread_; }
  [[nodiscard]] std::string device() const;

 private:
  Status cull_round(std::span<const detect::Question> questions,
                    std::span<detect::KeptClusters> kept) const;
  GlRoom() = default;

  bool debug_ = false;  ///< what the driver complains about is an error
  std::shared_ptr<const detect::ExactStep> exact_;
  std::shared_ptr<gl::DeviceThread> thread_;
  std::shared_ptr<gl::Visibility> visibility_;
  std::shared_ptr<const gl::DeviceRoom> room_;
  scene::Clusters clusters_;
};

}  // namespace tocsin::devices
