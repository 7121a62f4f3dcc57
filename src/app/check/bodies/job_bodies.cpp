#include "app/check/bodies/job_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/file_kind.h"
#include "io/load_motion.h"
#include "io/shape/csv_motion.h"
#include "io/shape/mesh_files.h"
#include "io/shape/node_motion.h"

namespace tocsin::app {
namespace {

Result<io::BodyMotion> motion_of(const BodySpec& body, io::InputLog& log) {
  if (has_extension(body.motion, {".csv"})) {
    const auto text = io::read_text_input(body.motion, "motion", &log);
    if (!text) return text.error();
    return io::parse_csv_motion(*text, body.motion);
  }
  auto motion = io::load_motion(body.motion, {}, &log);
  if (!motion) return motion.error();
  if (motion->skeleton().size() != 1) {
    return {ErrorCode::kInput, fmt::format("{}: has {} joints; the motion of a body has one",
                                           body.motion, motion->skeleton().size())};
  }
  return io::BodyMotion{std::move(motion).value(), 0.0};
}

/// The mesh file's own animation, of the bytes that the mesh was read from; none: it has none.
Result<std::optional<io::BodyMotion>> own_motion(const BodySpec& body, const io::InputLog& read) {
  io::InputLog again;
  auto out = io::read_node_motion(body.mesh, &again);
  if (!out || !out.value()) return out;
  const auto same = [](const io::InputRecord& p, const io::InputRecord& q) {
    return p.sha256 == q.sha256;
  };
  if (read.size() == again.size() &&
      std::is_permutation(read.begin(), read.end(), again.begin(), same)) {
    return out;
  }
  return Error{ErrorCode::kInput, body.mesh + ": was changed while it was read"};
}

Result<Shape> shape_of(const BodySpec& body, io::InputLog& log,
                       std::vector<std::string>& warnings) {
  io::MeshFiles files(&log);
  auto mesh = files.read(body.mesh);
  if (!mesh) return mesh.error();
  warnings.insert(warnings.end(), files.warnings().begin(), files.warnings().end());
  auto shape = Shape::mesh(std::move(mesh->corners), std::move(mesh->triangles));
  if (!shape) return Error{shape.error().code, body.mesh + ": " + shape.error().message};
  return shape;
}

/// Where the body is; none: it stands still. `read`: the mesh's files.
Result<std::optional<io::BodyMotion>> find_motion(const BodySpec& body, const io::InputLog& read,
                                                  Job& job) {
  if (body.motion.empty()) return own_motion(body, read);
  auto motion = motion_of(body, job.inputs);
  if (!motion) return motion.error();
  return std::optional(std::move(motion).value());
}

Status add_body(Job& job, const BodySpec& body) {
  JobTake& take = job.takes.emplace_back();
  take.is_body = true;
  take.name = body.name;
  take.file = body.motion.empty() ? body.mesh : body.motion;
  io::InputLog read;
  auto shape = shape_of(body, read, job.warnings);
  if (!shape) return shape.error();
  job.inputs.insert(job.inputs.end(), read.begin(), read.end());
  auto motion = find_motion(body, read, job);
  if (!motion) return motion.error();
  auto skeleton = Skeleton::create({{body.name, -1, {}}});
  if (!skeleton) return skeleton.error();
  if (motion.value()) {
    take.start = motion.value()->start;
    take.motion = std::move(motion.value()->motion);
    skeleton = take.motion.skeleton();
    const auto& said = take.motion.source().warnings;
    job.warnings.insert(job.warnings.end(), said.begin(), said.end());
  }
  auto avatar = Avatar::create(body.name, std::move(skeleton).value(),
                               {link_of_shape(body.name, 0, std::move(shape).value())});
  if (!avatar) return avatar.error();
  take.member.avatar = std::move(avatar).value();
  return Nothing{};
}

}  // namespace

Status add_bodies(Job& job, const CheckOptions& options) {
  for (const BodySpec& body : options.spec.bodies) {
    if (auto added = add_body(job, body); !added) return added;
  }
  return Nothing{};
}

Status let_bodies_stand(Job& job, std::span<const TakePart> parts) {
  double from = HUGE_VAL;
  double to = -HUGE_VAL;
  for (const TakePart& part : parts) {
    from = std::min(from, part.start + part.motion.seconds(part.range.first));
    to = std::max(to, part.start + part.motion.seconds(part.range.last));
  }
  for (JobTake& take : job.takes) {
    if (!take.is_body || take.motion.frame_count() > 0) continue;
    const bool moment = !(to > from);
    auto still = Motion::create(take.member.avatar.skeleton(), moment ? 1.0 : to - from,
                                std::vector<Transform>(moment ? 1 : 2));
    if (!still) return still.error();
    take.motion = std::move(still).value();
    take.start = from;
  }
  return Nothing{};
}

}  // namespace tocsin::app
