// What `tocsin send` shows: a table for people, or JSON ("tocsin.send.v1").
#pragma once

#include <string>

#include "app/send_run.h"

namespace tocsin::app {

/// All that both are made from.
struct SendReport {
  const SendOptions& options;
  const SendPlan& plan;
  const SendOutcome& outcome;
  const SendTimes& times;

  /// Frames a second of one avatar, as wanted; 0: as many as it goes.
  [[nodiscard]] double wanted_rate() const;
  /// What the avatar's radii were multiplied with.
  [[nodiscard]] double radius_factor() const;
  /// Steps a second of all avatars.
  [[nodiscard]] double steps_per_second() const;
  /// What this process took of one core, percent.
  [[nodiscard]] double cpu_percent() const;
  /// True if the sender itself lagged so far behind that what it measured says little: a frame in a
  /// hundred was sent more than a frame's time late.
  [[nodiscard]] bool too_slow() const;
};

std::string render_send_table(const SendReport& report);
/// One object, with a newline.
std::string render_send_json(const SendReport& report);

}  // namespace tocsin::app
