// The OpenGL backend: a device culls many steps at once, and the exact step does the rest; or,
// without certify, the image-space answer.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "detect/backends/room_backend.h"
#include "devices/gl/gl_room.h"

namespace tocsin::devices {

/// Once the device has failed it is asked no more, and the first reason is kept.
class GlBackend final : public detect::DeviceBackend {
 public:
  explicit GlBackend(std::shared_ptr<const GlRoom> room) : room_(std::move(room)) {}

  /// Errors: as GlRoom::create().
  static Made open(std::shared_ptr<const detect::ExactStep> exact);
  [[nodiscard]] Made with_environment(
      std::shared_ptr<const detect::ExactStep> exact) const override;
  [[nodiscard]] Made with_options(std::shared_ptr<const detect::ExactStep> exact) const override {
    return open(std::move(exact));
  }

  [[nodiscard]] detect::Unanswered check(std::span<const detect::Question> questions,
                                         std::size_t instants, const detect::QuestionOptions& how,
                                         std::span<StepReport> reports) const override;

  [[nodiscard]] std::string name() const override { return "gl"; }
  [[nodiscard]] std::string device() const override { return room_->device(); }
  [[nodiscard]] detect::Pace pace() const override { return detect::Pace::kCuller; }
  [[nodiscard]] bool answers_meetings() const override { return false; }
  [[nodiscard]] std::optional<Error> failure() const override;
  [[nodiscard]] std::string fallback() const override;
  [[nodiscard]] const GlRoom& room() const { return *room_; }

 private:
  Status ask(std::span<const detect::Question> questions, const detect::QuestionOptions& how,
             std::span<StepReport> reports) const;
  /// The image-space answer (paper 004, section 7.2): contacts are grazes with toc[0] proved and
  /// toc[1] estimated.
  Status estimate(std::span<const detect::Question> questions, const std::stop_token& stop,
                  std::span<StepReport> reports) const;

  std::shared_ptr<const GlRoom> room_;
  mutable std::mutex mutex_;
  mutable std::optional<Error> failure_;
};

}  // namespace tocsin::devices
