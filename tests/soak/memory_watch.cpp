#include "soak/memory_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace tocsin::test {

double MemoryWatch::level_between(double from, double to) const {
  std::vector<double> resident;
  for (const MemorySample& sample : samples_) {
    if (sample.seconds >= from && sample.seconds <= to) resident.push_back(sample.resident_mib);
  }
  if (resident.empty()) return 0.0;
  const auto tenth = resident.begin() + static_cast<std::ptrdiff_t>(resident.size() / 10);
  std::nth_element(resident.begin(), tenth, resident.end());
  return *tenth;
}

double MemoryWatch::level() const {
  const double end = samples_.empty() ? 0.0 : samples_.back().seconds;
  return level_between(warm_up_, warm_up_ + (end - warm_up_) / 3.0);
}

double MemoryWatch::growth() const {
  const double end = samples_.empty() ? 0.0 : samples_.back().seconds;
  return level_between(end - (end - warm_up_) / 3.0, end) - level();
}

MemorySample MemoryWatch::most() const {
  MemorySample out;
  for (const MemorySample& sample : samples_) {
    out.seconds = sample.seconds;
    out.resident_mib = std::max(out.resident_mib, sample.resident_mib);
    out.descriptors = std::max(out.descriptors, sample.descriptors);
    out.threads = std::max(out.threads, sample.threads);
    out.sessions = std::max(out.sessions, sample.sessions);
  }
  return out;
}

void MemoryWatch::save(const std::filesystem::path& folder) const {
  std::filesystem::create_directories(folder);
  std::ofstream csv(folder / "soak.csv");
  csv << "seconds,resident_mib,descriptors,threads,sessions\n";
  for (const MemorySample& s : samples_) {
    csv << fmt::format("{:.2f},{:.2f},{},{},{}\n", s.seconds, s.resident_mib, s.descriptors,
                       s.threads, s.sessions);
  }
  std::ofstream(folder / "soak.svg") << svg();
}

std::string MemoryWatch::svg() const {
  constexpr double kWidth = 720;
  constexpr double kHeight = 260;
  constexpr double kLeft = 60;
  constexpr double kBottom = 40;
  constexpr double kTop = 30;
  const MemorySample top = most();
  const double mib = std::max(1.0, std::ceil(top.resident_mib / 50.0) * 50.0);
  const double seconds = std::max(1.0, top.seconds);
  const auto x = [&](double s) { return kLeft + s / seconds * (kWidth - kLeft - 20); };
  const auto y = [&](double m) { return kHeight - kBottom - m / mib * (kHeight - kBottom - kTop); };
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"18\">Memory of tocsin serve, MiB resident, over seconds; grey: warm-up"
      "</text>\n",
      kWidth, kHeight, kLeft);
  out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#eeeeee\"/>\n",
                     x(0), kTop, x(std::min(warm_up_, seconds)) - x(0), kHeight - kBottom - kTop);
  for (int i = 0; i <= 4; ++i) {
    const double m = mib * i / 4;
    const double s = seconds * i / 4;
    out += fmt::format(
        "<line x1=\"{0}\" y1=\"{2}\" x2=\"{1}\" y2=\"{2}\" stroke=\"#cccccc\"/>\n"
        "<text x=\"{3}\" y=\"{4}\" text-anchor=\"end\">{5:.0f}</text>\n"
        "<text x=\"{6}\" y=\"{7}\" text-anchor=\"middle\">{8:.0f}</text>\n",
        x(0), x(seconds), y(m), kLeft - 8, y(m) + 4, m, x(s), kHeight - kBottom + 18, s);
  }
  std::string points;
  for (const MemorySample& s : samples_) {
    points += fmt::format("{:.1f},{:.1f} ", x(s.seconds), y(s.resident_mib));
  }
  out += "<polyline fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"1.5\" points=\"" + points +
         "\"/>\n</svg>\n";
  return out;
}

}  // namespace tocsin::test
