#include "ahead/forecast.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "tocsin/live/lookahead.h"

namespace tocsin::bench {
namespace {

/// Seconds. A touch within so much of the pair's last one is the same touch, and a prediction
/// within so much of the last one the same alarm: feet rattle on a floor by the noise of capture.
constexpr double kRattle = 0.05;

constexpr std::size_t kQuickCourse = 600;  // steps

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

double percentile(std::vector<double> values, double of) {
  if (values.empty()) return 0.0;
  const auto at = static_cast<std::ptrdiff_t>(of * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

Course::Course(const Detector& detector, const Avatar& avatar, const Motion& motion, int stride,
               bool quick)
    : detector_(detector), avatar_(avatar), motion_(motion), stride_(stride) {
  const std::int64_t last = (motion.frame_count() - 1) / stride * stride;
  steps_ = motion.steps({.last = last, .stride = stride}).value();
  if (quick && steps_.size() > kQuickCourse) steps_.resize(kQuickCourse);
  for (const Step& step : steps_) times_.push_back(step.seconds(0.0));
  if (!steps_.empty()) times_.push_back(steps_.back().seconds(1.0));
  find_touches();
}

void Course::find_touches() {
  Stream stream(detector_, avatar_);
  std::vector<StepReport> reports;
  const auto begin = std::chrono::steady_clock::now();
  for (const Step& step : steps_) reports.push_back(stream.check(step).value());
  step_seconds_ = seconds_since(begin);
  std::map<Pair, double> last;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const std::vector<Contact> begun = contacts_ahead(reports[i].contacts);
    for (const Contact& contact : reports[i].contacts) {
      const Pair pair{contact.link, contact.room()->object};
      const double time = times_[i] + contact.toc[0] * (times_[i + 1] - times_[i]);
      const auto found = last.find(pair);
      const double before =
          found == last.end() ? -std::numeric_limits<double>::infinity() : found->second;
      const bool begins = std::find(begun.begin(), begun.end(), contact) != begun.end();
      if (begins && time - before > kRattle && i > 0) touches_[pair].push_back({time, before, i});
      last[pair] = time;
    }
  }
}

void Course::forecast(double seconds, int base, double damp, ForecastTally& all,
                      ForecastTally& floor) {
  std::map<Pair, Predictions> predicted;
  Stream stream(detector_, avatar_);
  double took = 0.0;
  for (std::size_t i = 1; i < steps_.size(); ++i) {
    const std::size_t from =
        i >= static_cast<std::size_t>(base) ? i - static_cast<std::size_t>(base) : 0;
    const Step whole = motion_
                           .steps({.first = static_cast<std::int64_t>(from) * stride_,
                                   .last = static_cast<std::int64_t>(i) * stride_,
                                   .stride = static_cast<std::int64_t>(i - from) * stride_})
                           .value()
                           .front();
    const auto begin = std::chrono::steady_clock::now();
    Step ahead = step_ahead(whole, seconds * damp).value();
    if (damp != 1.0) {
      const auto pose = ahead.pose1();
      ahead = step_ahead(whole, seconds, {pose.begin(), pose.end()}).value();
    }
    const StepReport report = stream.check(ahead).value();
    const std::vector<Contact> contacts = contacts_ahead(report.contacts);
    took += seconds_since(begin);
    for (const Contact& contact : contacts) {
      predicted[{contact.link, contact.room()->object}].emplace_back(
          times_[i], times_[i] + contact.toc[0] * seconds);
    }
  }
  std::set<Pair> pairs;
  for (const auto& [pair, one] : predicted) pairs.insert(pair);
  for (const auto& [pair, one] : touches_) pairs.insert(pair);
  const auto objects = detector_.environment().objects();
  for (const Pair& pair : pairs) {
    const std::string& name = objects[pair.second].name;
    judge(seconds, pair, predicted[pair], touches_[pair], all);
    if (name.starts_with("Floor") || name.starts_with("Carpet")) {
      judge(seconds, pair, predicted[pair], touches_[pair], floor);
    }
  }
  for (ForecastTally* const tally : {&all, &floor}) {
    tally->seconds += times_.empty() ? 0.0 : times_.back() - times_.front();
    tally->steps += steps_.size();
    tally->step_seconds += step_seconds_;
    tally->ahead_seconds += took;
  }
}

void Course::judge(double seconds, const Pair& /*pair*/, const Predictions& predictions,
                   const std::vector<Touch>& touches, ForecastTally& out) const {
  for (const Touch& touch : touches) {
    ++out.touches;
    double lead = -1.0;
    double error = 0.0;
    for (const auto& [at, time] : predictions) {
      if (at > touch.time || at < touch.time - seconds || at <= touch.free_since) continue;
      if (lead < 0.0) lead = touch.time - at;
      error = std::fabs(time - touch.time);
      out.errors.push_back(error);
    }
    if (lead < 0.0) continue;
    ++out.predicted;
    out.half_lead += lead >= 0.5 * seconds ? 1 : 0;
    out.leads.push_back(lead);
    out.last_errors.push_back(error);
  }
  for (std::size_t i = 0; i < predictions.size();) {
    const double begin = predictions[i].first;
    double end = begin;
    for (; i < predictions.size() && predictions[i].first <= end + kRattle; ++i) {
      end = predictions[i].first;
    }
    ++out.alarms;
    const bool follows = std::any_of(touches.begin(), touches.end(), [&](const Touch& touch) {
      return touch.time >= begin && touch.time <= end + seconds + kRattle;
    });
    out.false_alarms += follows ? 0 : 1;
  }
}

}  // namespace tocsin::bench
