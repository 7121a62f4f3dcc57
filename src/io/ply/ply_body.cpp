#include "io/ply/ply_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "base/quoted.h"
#include "io/ply/ply_fixed.h"
#include "io/ply/ply_roles.h"
#include "io/ply/ply_source.h"
#include "scene/room/coordinate_limit.h"

namespace tocsin::io {
namespace {

/// Three corners in the order in which they are given: of a fan, or of a strip.
class CornerRun {
 public:
  CornerRun(std::vector<TriangleIndices>& triangles, bool strip)
      : triangles_(triangles), strip_(strip) {}

  void add(std::uint32_t vertex) {
    if (count_ >= 3) {
      // A strip's next triangle keeps the last two corners; turning every second one round keeps
      // its front to the same side.
      if (strip_) last_[0] = last_[1];
      last_[1] = last_[2];
    }
    last_[std::min<std::size_t>(count_, 2)] = vertex;
    if (count_ >= 2) {
      const bool turned = strip_ && count_ % 2 == 1;
      triangles_.push_back(turned ? TriangleIndices{last_[1], last_[0], last_[2]} : last_);
    }
    ++count_;
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  void restart() { count_ = 0; }

 private:
  std::vector<TriangleIndices>& triangles_;
  TriangleIndices last_{};
  std::size_t count_ = 0;
  bool strip_;
};

template <class Source>
class BodyReader {
 public:
  BodyReader(Source source, const PlyRoles& roles, const EnvironmentOptions& options)
      : in_(std::move(source)), roles_(roles), options_(options) {}

  Result<PlyGeometry> read() {
    for (const PlyRole& role : roles_.roles) {
      if (!element(role)) return {ErrorCode::kInput, std::move(cause_)};
    }
    warn();
    return std::move(out_);
  }

 private:
  bool stop(std::string cause) {
    cause_ = std::move(cause);
    return false;
  }

  bool element(const PlyRole& role) {
    const PlyElement& element = *role.element;
    if (element.count == 0) return true;
    if (role.meaning == PlyMeaning::kEdges) edges_ = element.count;
    if (role.meaning == PlyMeaning::kFaces) out_.faces = element.count;
    if (role.meaning == PlyMeaning::kOther) {
      out_.warnings.push_back(
          fmt::format("passed over: {} elements {}", element.count, base::in_quotes(element.name)));
    }
    if (element.properties.empty()) return true;
    if (!reserve(role)) return false;
    for (std::uint64_t i = fast(role); i < element.count; ++i) {
      if (!item(role)) {
        return stop(
            fmt::format("{}{} {}: {}", in_.where(), base::escaped(element.name), i, cause_));
      }
    }
    return true;
  }

  /// Checks the claimed count against the rest of the file before memory is allocated for it.
  bool reserve(const PlyRole& role) {
    const PlyElement& element = *role.element;
    std::uint64_t least = 0;
    for (const PlyProperty& property : element.properties) least += Source::least_size(property);
    if (element.count > in_.left() / least) {
      return stop(fmt::format(
          "line {}: {} elements {} take at least {} bytes each, and {} bytes "
          "are left",
          element.line, element.count, base::in_quotes(element.name), least, in_.left()));
    }
    if (role.meaning == PlyMeaning::kVertices) out_.vertices.reserve(element.count);
    if (role.meaning == PlyMeaning::kFaces) {
      // As many as the file can hold if all are triangles.
      const PlyProperty index{{}, element.properties[role.indices].type, {}};
      const std::uint64_t size = least + 3 * Source::least_size(index);
      out_.triangles.reserve(std::min<std::uint64_t>(element.count, in_.left() / size));
    }
    return true;
  }

  /// Reads as many elements as a fast path can. Returns their number.
  std::uint64_t fast(const PlyRole& role) {
    PlyRun run;
    if constexpr (std::is_same_v<Source, PlyBinarySource>) {
      if (role.meaning == PlyMeaning::kVertices) {
        run = read_fixed_vertices(role, in_.rest(), in_.reversed(), options_, out_.vertices);
      }
      if (role.meaning == PlyMeaning::kFaces) {
        run = read_uniform_faces(role, in_.rest(), in_.reversed(), roles_.vertices, out_.triangles);
      }
      in_.advance(run.bytes);
    }
    return run.items;
  }

  /// One element; if false, cause_ says why.
  bool item(const PlyRole& role) {
    if (!in_.next_item()) return stop("the file ends before it");
    const std::vector<PlyProperty>& properties = role.element->properties;
    const bool cornered = role.meaning == PlyMeaning::kFaces || role.meaning == PlyMeaning::kStrips;
    std::array<double, 3> xyz{};
    for (std::size_t i = 0; i < properties.size(); ++i) {
      const auto axis = role.meaning == PlyMeaning::kVertices
                            ? std::find(role.xyz.begin(), role.xyz.end(), i)
                            : role.xyz.end();
      if (axis != role.xyz.end()) {
        const auto value = in_.number(properties[i].type);
        if (!value) return stop(in_.problem());
        xyz[static_cast<std::size_t>(axis - role.xyz.begin())] = *value;
      } else if (cornered && i == role.indices) {
        if (!corners(properties[i], role.meaning == PlyMeaning::kStrips)) return false;
      } else if (!skip(properties[i])) {
        return false;
      }
    }
    if (role.meaning == PlyMeaning::kVertices && !vertex({xyz[0], xyz[1], xyz[2]})) return false;
    if (in_.end_item()) return true;
    return stop("more values than the header says");
  }

  bool vertex(const Vec3& raw) {
    if (const auto v = ply_vertex(raw, options_)) {
      out_.vertices.push_back(*v);
      return true;
    }
    const bool finite = std::isfinite(raw.x) && std::isfinite(raw.y) && std::isfinite(raw.z);
    return stop(fmt::format(
        "({}, {}, {}) {}", raw.x, raw.y, raw.z,
        finite ? fmt::format("is further than {} m from the origin", scene::kMaxCoordinate)
               : "is not finite"));
  }

  std::optional<std::uint64_t> length(const PlyProperty& list) {
    const auto value = in_.integer(*list.count_type);
    if (!value) {
      stop(in_.problem());
      return std::nullopt;
    }
    if (*value < 0) {
      stop(fmt::format("a list of {} values", *value));
      return std::nullopt;
    }
    return static_cast<std::uint64_t>(*value);
  }

  bool skip(const PlyProperty& property) {
    std::uint64_t count = 1;
    if (property.count_type) {
      const auto listed = length(property);
      if (!listed) return false;
      count = *listed;
    }
    return in_.skip(property.type, count) || stop(in_.problem());
  }

  bool corners(const PlyProperty& list, bool strip) {
    const auto count = length(list);
    if (!count) return false;
    CornerRun run(out_.triangles, strip);
    for (std::uint64_t i = 0; i < *count; ++i) {
      const auto index = in_.integer(list.type);
      if (!index) return stop(in_.problem());
      if (strip && *index == -1) {
        end_run(run.count(), true);
        run.restart();
        continue;
      }
      if (*index < 0 || static_cast<std::uint64_t>(*index) >= roles_.vertices) {
        return stop(fmt::format("index {} is out of range (there are {} vertices)", *index,
                                roles_.vertices));
      }
      run.add(static_cast<std::uint32_t>(*index));
    }
    end_run(run.count(), strip);
    return true;
  }

  void end_run(std::size_t count, bool strip) {
    if (count < 3 && !(strip && count == 0)) ++degenerate_[count];
  }

  void warn() {
    const auto left_out = [&](std::uint64_t count, std::string_view what) {
      if (count == 0) return;
      out_.warnings.push_back(fmt::format("left out, as only triangles can be touched: {} {}{}",
                                          count, what, count == 1 ? "" : "s"));
    };
    left_out(degenerate_[1], "point");
    left_out(degenerate_[2], "line");
    left_out(degenerate_[0], "empty face");
    left_out(edges_, "edge");
    if (in_.next_item()) out_.warnings.emplace_back("passed over: what follows the last element");
  }

  Source in_;
  const PlyRoles& roles_;
  const EnvironmentOptions& options_;
  PlyGeometry out_;
  std::string cause_;
  std::uint64_t edges_ = 0;
  std::array<std::uint64_t, 3> degenerate_{};  ///< faces and strips, by their number of corners
};

}  // namespace

Result<PlyGeometry> read_ply_body(const PlyHeader& header, std::string_view file,
                                  const EnvironmentOptions& options) {
  const Result<PlyRoles> roles = ply_roles(header);
  if (!roles.ok()) return roles.error();
  if (header.format == PlyFormat::kAscii) {
    return BodyReader(PlyTextSource(header, file), *roles, options).read();
  }
  return BodyReader(PlyBinarySource(header, file), *roles, options).read();
}

}  // namespace tocsin::io
