// The output of `tocsin send`: a table for people, or JSON ("tocsin.send.v1").
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/send/send_run.h"

namespace tocsin::app {

/// The input of both.
struct SendReport {
  const SendOptions& options;
  const SendPlan& plan;
  const SendOutcome& outcome;
  const SendTimes& times;

  /// Frames a second of one avatar, as wanted; 0: as many as it goes.
  [[nodiscard]] double wanted_rate() const;
  /// Seconds of the take between frames that are sent one after the other: the least and the
  /// greatest. None: there is only one frame.
  [[nodiscard]] std::optional<std::array<double, 2>> seconds_apart() const;
  /// What the avatar's radii were multiplied with.
  [[nodiscard]] double radius_factor() const;
  /// Steps a second of all avatars.
  [[nodiscard]] double steps_per_second() const;
  /// What this process took of one core, percent.
  [[nodiscard]] double cpu_percent() const;
  /// True if the sender itself was too slow for a valid measurement: a frame in a hundred was sent
  /// more than a frame's time late.
  [[nodiscard]] bool too_slow() const;
};

std::string render_send_table(const SendReport& report);
/// One object, with a newline.
std::string render_send_json(const SendReport& report);

}  // namespace tocsin::app
