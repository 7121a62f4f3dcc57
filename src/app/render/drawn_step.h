// Which step of a job a picture shows, and which contact it is about.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/check/job.h"
#include "io/report/episodes.h"
#include "tocsin/detector.h"
#include "view/step_scene.h"

namespace tocsin::app {

/// The avatars that are there during one step, checked.
struct DrawnStep {
  std::vector<view::Actor> actors;  ///< in order of their takes; at least one
  std::optional<view::Choice> about;
  std::array<std::int64_t, 2> looked{};  ///< frames among which contacts were looked for

  [[nodiscard]] const Step& step() const { return actors.front().step; }
  /// True if some avatar touches something.
  [[nodiscard]] bool touches() const;
};

/// A contact of a whole check.
struct FoundContact {
  std::int64_t step = 0;  ///< index
  std::int32_t avatar = 0;
  Contact contact;
};

/// The contacts of a whole check, and their episodes in the order of first touch.
struct Findings {
  std::vector<FoundContact> contacts;  ///< in the order of a report's lines
  std::vector<io::Episode> episodes;
  std::string hash;  ///< of the report's contact lines
};

/// Runs the whole check. Errors: as Detector::run.
Result<Findings> find_all(const Job& job, const Detector& detector);

/// The first of the job's steps in which anything is touched, else its first. Errors: as
/// Detector::run.
Result<DrawnStep> first_step(const Job& job, const Detector& detector);

/// The job's step with this index. Errors: kUsage: no avatar has one; of Detector::check.
Result<DrawnStep> step_at(const Job& job, const Detector& detector, std::int64_t index);

/// Of a job of one take: the step from a frame to a later one, or to the motion's last. Errors: as
/// before.
Result<DrawnStep> step_from(const Job& job, const Detector& detector, std::int64_t frame,
                            std::int64_t stride);

/// The step of a contact, about it; of an episode: about its first contact.
Result<DrawnStep> step_of(const Job& job, const Detector& detector, const FoundContact& found);
Result<DrawnStep> step_of(const Job& job, const Detector& detector, const io::Episode& episode);

}  // namespace tocsin::app
