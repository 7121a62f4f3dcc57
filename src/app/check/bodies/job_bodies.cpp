#include "app/check/bodies/job_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/file_kind.h"
#include "base/unique_names.h"
#include "core/vector/vec.h"
#include "io/load_motion.h"
#include "io/shape/animated_file.h"
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
Result<std::optional<io::NodeMotion>> own_motion(const BodySpec& body, std::size_t objects,
                                                 const io::InputLog& read) {
  io::InputLog again;
  auto out = io::read_node_motion(body.mesh, objects, &again);
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

void append(io::FileMesh& to, const io::FileMesh& part, const Vec3& origin) {
  const auto first = static_cast<std::uint32_t>(to.corners.size());
  for (const Vec3& corner : part.corners) to.corners.push_back(corner - origin);
  for (const TriangleIndices& t : part.triangles) {
    to.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
}

/// Where each object is, if the file does not say: all on one joint, in the world's frame.
io::NodeMotion on_one_joint(std::size_t objects) {
  io::NodeMotion out;
  out.origin.resize(1);
  out.carried_by.assign(objects, 0);
  return out;
}

/// A link for each joint that carries triangles, called as its node; if there is but one, and what
/// stands still, as the body.
Result<std::vector<Link>> links_of(const BodySpec& body, const std::vector<io::FileMesh>& objects,
                                   const io::NodeMotion& moved) {
  std::vector<io::FileMesh> meshes(moved.origin.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto joint = static_cast<std::size_t>(moved.carried_by[i]);
    append(meshes[joint], objects[i], moved.origin[joint]);
  }
  const auto carriers = std::count_if(meshes.begin(), meshes.end(), [](const io::FileMesh& mesh) {
    return !mesh.triangles.empty();
  });
  std::vector<Link> links;
  for (std::size_t j = 0; j < meshes.size(); ++j) {
    if (meshes[j].triangles.empty()) continue;
    auto shape = Shape::mesh(std::move(meshes[j].corners), std::move(meshes[j].triangles));
    if (!shape) return Error{shape.error().code, body.mesh + ": " + shape.error().message};
    const bool whole = carriers == 1 || (j == 0 && moved.still_first);
    std::string name = whole ? body.name : moved.body.motion.skeleton().joints()[j].name;
    std::replace(name.begin(), name.end(), ':', '_');  // it stands between two names in --ignore
    links.push_back(link_of_shape(std::move(name), static_cast<int>(j), std::move(shape).value()));
  }
  if (links.empty()) return Error{ErrorCode::kInput, body.mesh + ": has no triangles"};
  std::vector<std::string*> names;
  for (Link& link : links) names.push_back(&link.name);
  base::make_distinct(names);
  return links;
}

/// How the body's objects move; an empty motion: they stand still. `read`: the mesh's files.
Result<io::NodeMotion> find_motion(const BodySpec& body, std::size_t objects,
                                   const io::InputLog& read, Job& job) {
  if (body.motion.empty()) {
    auto own = own_motion(body, objects, read);
    if (!own) return own.error();
    return own.value() ? *std::move(own).value() : on_one_joint(objects);
  }
  auto motion = motion_of(body, job.inputs);
  if (!motion) return motion.error();
  io::NodeMotion out = on_one_joint(objects);
  out.body = std::move(motion).value();
  return out;
}

Status add_body(Job& job, const BodySpec& body) {
  JobTake& take = job.takes.emplace_back();
  take.is_body = true;
  take.name = body.name;
  take.file = body.motion.empty() ? body.mesh : body.motion;
  io::InputLog read;
  io::MeshFiles files(&read);
  const auto objects = files.read_objects(body.mesh);
  if (!objects) return objects.error();
  job.warnings.insert(job.warnings.end(), files.warnings().begin(), files.warnings().end());
  job.inputs.insert(job.inputs.end(), read.begin(), read.end());
  auto moved = find_motion(body, objects->size(), read, job);
  if (!moved) return moved.error();
  auto links = links_of(body, *objects, *moved);
  if (!links) return links.error();
  take.start = moved->body.start;
  take.motion = std::move(moved->body.motion);
  auto skeleton = Skeleton::create({{body.name, -1, {}}});
  if (!skeleton) return skeleton.error();
  if (take.motion.frame_count() > 0) {
    skeleton = take.motion.skeleton();
    const auto& said = take.motion.source().warnings;
    job.warnings.insert(job.warnings.end(), said.begin(), said.end());
  }
  if (take.motion.frame_count() == 0 && io::speaks_of_animation(body.mesh)) {
    job.warnings.push_back(body.mesh +
                           ": its animation moves no object, or is of a format whose animations "
                           "are not read (those of "
                           ".glb, .gltf and .fbx are): the body stands still");
  }
  auto avatar = Avatar::create(body.name, std::move(skeleton).value(), std::move(links).value());
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
