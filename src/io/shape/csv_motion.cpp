#include "io/shape/csv_motion.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "base/text_file.h"
#include "base/text_scanner.h"
#include "io/shape/csv_cells.h"

namespace tocsin::io {
namespace {

constexpr std::string_view kHeader = "time,x,y,z,qw,qx,qy,qz";
constexpr double kLatest = 1e6;    // seconds; TakePart::start
constexpr double kFarthest = 1e6;  // metres; Motion::create
constexpr double kUnit = 1e-3;     // Motion::create

using Row = std::array<double, 8>;

/// The numbers of a line, or what is wrong with it.
std::string read_row(std::string_view line, Row& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t comma = line.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == out.size())) {
      return fmt::format("expected 8 numbers ({})", kHeader);
    }
    const std::string_view cell = trimmed_cell(line.substr(0, comma));
    const auto number = finite_cell(cell);
    if (!number) return fmt::format("expected a finite number, found {}", base::in_quotes(cell));
    out[i] = *number;
    line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
  }
  return {};
}

std::string fault_of(const Row& row, const std::optional<double>& before) {
  const auto& [time, x, y, z, qw, qx, qy, qz] = row;
  if (!(std::fabs(time) <= kLatest)) {
    return fmt::format("a time must be within 1e6 s, is {}", time);
  }
  if (before && !(time > *before)) {
    return fmt::format("times must increase: {} comes after {}", time, *before);
  }
  for (const double place : {x, y, z}) {
    if (!(std::fabs(place) <= kFarthest)) {
      return fmt::format("a place must be within 1e6 m, is {}", place);
    }
  }
  const double length = std::sqrt(qw * qw + qx * qx + qy * qy + qz * qz);
  if (std::fabs(length - 1.0) <= kUnit) return {};
  return fmt::format("qw,qx,qy,qz must have length 1, has {}", length);
}

}  // namespace

Result<BodyMotion> parse_csv_motion(std::string_view text, const std::string& file) {
  std::vector<Transform> poses;
  std::vector<double> times;
  bool headed = false;
  std::int64_t number = 0;
  if (text.starts_with(base::kByteOrderMark)) text.remove_prefix(base::kByteOrderMark.size());
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed_cell(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty()) continue;
    if (!headed) {
      if (line != kHeader) {
        return base::input_error(
            file, number,
            fmt::format("expected the header \"{}\", found {}", kHeader, base::in_quotes(line)));
      }
      headed = true;
      continue;
    }
    Row row{};
    std::string fault = read_row(line, row);
    if (fault.empty()) {
      fault = fault_of(row, times.empty() ? std::nullopt : std::optional(times.back()));
    }
    if (!fault.empty()) return base::input_error(file, number, fault);
    times.push_back(row[0]);
    poses.push_back({{row[4], row[5], row[6], row[7]}, {row[1], row[2], row[3]}});
  }
  if (poses.empty()) return base::file_error(file, fmt::format("has no row below {}", kHeader));
  auto skeleton = Skeleton::create({{"body", -1, {}}});
  if (!skeleton) return skeleton.error();
  BodyMotion out;
  out.start = times.front();
  MotionSource source;
  source.file = file;
  source.format = "csv";
  auto motion = Motion::create_timed(std::move(skeleton).value(), 1.0, std::move(times),
                                     std::move(poses), std::move(source));
  if (!motion) return base::file_error(file, motion.error().message);
  out.motion = std::move(motion).value();
  return out;
}

}  // namespace tocsin::io
