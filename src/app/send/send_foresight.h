// Of the contacts that began, those that the server had foreseen (TrackOptions::lookahead).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tocsin/contact.h"
#include "tocsin/motion.h"
#include "tocsin/track.h"

namespace tocsin::app {

/// Takes a session's reports in order. Not thread-safe.
class SendForesight {
 public:
  /// `step`: the report's, for its times. `lookahead`: seconds.
  void take(const Step& step, const TrackReport& report, double lookahead);

  /// Contacts that were predicted, in all reports.
  [[nodiscard]] std::uint64_t told() const { return told_; }
  /// Contacts that began in a step: pairs that were free when it began.
  [[nodiscard]] std::uint64_t begun() const { return begun_; }
  /// Of these, those that a report had predicted, at most the lookahead before.
  [[nodiscard]] std::uint64_t foreseen() const { return leads_.size(); }
  /// Seconds from the first such report's newest pose to the contact: the median. None: there is
  /// none.
  [[nodiscard]] std::optional<double> lead() const;

 private:
  struct Warning {
    double since = 0.0;  ///< seconds
    double until = 0.0;
  };
  std::map<std::pair<std::int32_t, Touched>, Warning> warned_;
  std::vector<double> leads_;
  std::uint64_t told_ = 0;
  std::uint64_t begun_ = 0;
};

}  // namespace tocsin::app
