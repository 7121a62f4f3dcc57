// Prometheus' text format, version 0.0.4:
// https://prometheus.io/docs/instrumenting/exposition_formats/
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "service/metrics/metrics.h"

namespace tocsin::service {

/// Labels of a sample: names that are valid, and any values.
using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// Writes families of samples, one after the other. Names are valid and distinct: the caller's
/// matter. Not thread-safe.
class Exposition {
 public:
  /// Begins a family of which all following samples are. `help`: a sentence.
  void counter(std::string_view name, std::string_view help) { begin(name, help, "counter"); }
  void gauge(std::string_view name, std::string_view help) { begin(name, help, "gauge"); }
  void histogram(std::string_view name, std::string_view help) { begin(name, help, "histogram"); }

  void sample(Labels labels, std::uint64_t value);
  void sample(Labels labels, double value);
  /// A family of one sample without labels.
  template <class Number>
  void counter(std::string_view name, std::string_view help, Number value) {
    counter(name, help);
    sample({}, value);
  }
  template <class Number>
  void gauge(std::string_view name, std::string_view help, Number value) {
    gauge(name, help);
    sample({}, value);
  }
  /// A histogram's buckets, sum and count. `per`: how many of its units are one of the samples',
  /// such as 1e9 for nanoseconds as seconds.
  template <std::size_t kBounds>
  void sample(Labels labels, const Histogram<kBounds>& histogram, double per) {
    const HistogramValues<kBounds> values = histogram.values();
    std::uint64_t count = 0;
    for (std::size_t i = 0; i <= kBounds; ++i) {
      count += values.counts[i];
      const bool last = i == kBounds;
      bucket(labels, last ? "+Inf" : number(static_cast<double>(histogram.bounds()[i]) / per),
             count);
    }
    line("_sum", labels, {}, number(static_cast<double>(values.sum) / per));
    line("_count", labels, {}, std::to_string(count));
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  static std::string number(double value);
  void begin(std::string_view name, std::string_view help, std::string_view type);
  void bucket(Labels labels, const std::string& bound, std::uint64_t count);
  void line(std::string_view suffix, Labels labels, std::string_view bound,
            const std::string& value);
  void label(std::string_view name, std::string_view value, bool& first);

  std::string text_;
  std::string name_;  ///< of the family
};

}  // namespace tocsin::service
