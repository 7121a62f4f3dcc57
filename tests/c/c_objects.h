// Objects of the C interface made from those of the C++ one, by arrays; and its answers as C++ has
// them, so that both can be compared bit for bit.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tocsin/detector.h"
#include "tocsin/tocsin_c.h"

namespace tocsin::test {

inline void must(tocsin_status status) {
  if (status == TOCSIN_OK) return;
  throw std::runtime_error(std::string(tocsin_status_name(status)) + ": " + tocsin_last_error());
}

/// A handle that is destroyed in the end.
template <class Handle>
class Owned {
 public:
  Owned() = default;
  /// function(arguments..., &handle)
  template <class Function, class... Arguments>
  explicit Owned(const Function& function, const Arguments&... arguments) {
    must(function(arguments..., &handle_));
  }
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { static_cast<void>(tocsin_destroy(handle_)); }

  // NOLINTNEXTLINE(google-explicit-constructor)
  operator Handle() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};

inline tocsin_vec3 c_vec(const Vec3& v) { return {v.x, v.y, v.z}; }
inline tocsin_transform c_transform(const Transform& t) {
  const auto& [w, x, y, z] = t.rotation;
  return {{w, x, y, z}, c_vec(t.translation)};
}
inline std::vector<tocsin_transform> c_poses(std::span<const Transform> poses) {
  std::vector<tocsin_transform> out;
  for (const Transform& pose : poses) out.push_back(c_transform(pose));
  return out;
}
inline std::vector<tocsin_vec3f> c_vertices(std::span<const Vec3f> vertices) {
  std::vector<tocsin_vec3f> out;
  for (const Vec3f& v : vertices) out.push_back({v.x, v.y, v.z});
  return out;
}
inline std::vector<std::uint32_t> c_triangles(std::span<const TriangleIndices> triangles) {
  std::vector<std::uint32_t> out;
  for (const auto& [a, b, c] : triangles) out.insert(out.end(), {a, b, c});
  return out;
}

inline Owned<tocsin_skeleton> c_skeleton(const Skeleton& skeleton) {
  std::vector<const char*> names;
  std::vector<std::int32_t> parents;
  std::vector<Transform> rest;
  for (const Joint& joint : skeleton.joints()) {
    names.push_back(joint.name.c_str());
    parents.push_back(joint.parent);
    rest.push_back(joint.rest);
  }
  return Owned<tocsin_skeleton>(tocsin_skeleton_create, names.size(), names.data(), parents.data(),
                                c_poses(rest).data());
}

inline Owned<tocsin_shape> c_shape(const Shape& shape) {
  std::vector<tocsin_vec3> corners;
  for (const Vec3& v : shape.corners()) corners.push_back(c_vec(v));
  const auto triangles = c_triangles(shape.features());
  return Owned<tocsin_shape>(tocsin_shape_mesh, corners.data(), corners.size(), triangles.data(),
                             triangles.size() / 3, shape.radius());
}

inline Owned<tocsin_avatar> c_avatar(const Avatar& avatar) {
  std::vector<Owned<tocsin_shape>> shapes;
  std::vector<tocsin_link> links;
  for (const Link& from : avatar.links()) {
    tocsin_link link{};
    link.size = sizeof link;
    link.joint = from.joint;
    link.name = from.name.c_str();
    if (!from.shape.empty()) {
      link.shape = shapes.emplace_back(c_shape(from.shape));
    } else {
      link.a = c_vec(from.a);
      link.b = c_vec(from.b);
      link.radius = from.radius;
    }
    links.push_back(link);
  }
  const auto skeleton = c_skeleton(avatar.skeleton());
  return Owned<tocsin_avatar>(tocsin_avatar_create, avatar.name().c_str(),
                              static_cast<tocsin_skeleton>(skeleton), links.data(), links.size());
}

inline Owned<tocsin_environment> c_room(const Environment& room) {
  std::vector<std::vector<tocsin_vec3f>> vertices;
  std::vector<std::vector<std::uint32_t>> triangles;
  std::vector<tocsin_object> objects;
  for (const Object& object : room.objects()) {
    auto& corners = vertices.emplace_back();
    auto& indices = triangles.emplace_back();
    for (std::uint32_t t = 0; t < object.triangle_count; ++t) {
      for (const Vec3f& v : room.corners(object.first_triangle + t)) {
        indices.push_back(static_cast<std::uint32_t>(corners.size()));
        corners.push_back({v.x, v.y, v.z});
      }
    }
    tocsin_object out{};
    out.size = sizeof out;
    out.name = object.name.c_str();
    out.vertices = corners.data();
    out.vertex_count = corners.size();
    out.triangles = indices.data();
    out.triangle_count = indices.size() / 3;
    objects.push_back(out);
  }
  return Owned<tocsin_environment>(tocsin_environment_create, objects.data(), objects.size());
}

inline Owned<tocsin_step> c_step(const Step& step) {
  const auto skeleton = c_skeleton(step.skeleton());
  return Owned<tocsin_step>(
      tocsin_step_create, static_cast<tocsin_skeleton>(skeleton), c_poses(step.pose0()).data(),
      c_poses(step.pose1()).data(), step.pose0().size(),
      step.in_between() == InBetween::kScrew ? TOCSIN_SCREW : TOCSIN_TRANSLATE_ROTATE);
}

/// Everything of a list, by the two calls that tocsin_c.h describes.
template <class Value, class Function, class... Arguments>
std::vector<Value> all_of(Value first, const Function& function, const Arguments&... arguments) {
  std::size_t count = 0;
  must(function(arguments..., nullptr, 0, &count));
  std::vector<Value> out(count + 1, first);
  must(function(arguments..., out.data(), out.size(), &count));
  out.resize(count);
  return out;
}

inline Contact contact_from(const tocsin_contact& c) {
  const auto has = [&](std::uint32_t flag) { return (c.flags & flag) != 0; };
  Contact out;
  out.link = c.link;
  if (c.kind == TOCSIN_TOUCHES_OBJECT) {
    out.touched = RoomTriangle{c.object, c.triangle};
  } else {
    out.touched = OtherLink{c.other_avatar, c.other_link};
  }
  out.status = c.status == TOCSIN_OVERLAP ? ContactStatus::kOverlap
               : c.status == TOCSIN_HIT   ? ContactStatus::kHit
                                          : ContactStatus::kGraze;
  out.toc = {c.toc[0], c.toc[1]};
  if (has(TOCSIN_HAS_TOUCHING)) out.touching = std::array{c.touching[0], c.touching[1]};
  out.point = {c.point.x, c.point.y, c.point.z};
  if (has(TOCSIN_HAS_NORMAL)) out.normal = Vec3{c.normal.x, c.normal.y, c.normal.z};
  if (has(TOCSIN_HAS_DEPTH)) out.depth = c.depth;
  if (has(TOCSIN_HAS_LINK_FEATURE)) out.link_feature = c.link_feature;
  if (has(TOCSIN_HAS_OTHER_FEATURE)) out.other_feature = c.other_feature;
  out.inside = has(TOCSIN_INSIDE);
  out.limited = has(TOCSIN_LIMITED);
  return out;
}

inline StepReport report_from(tocsin_reports reports, std::size_t index) {
  tocsin_report from{};
  from.size = sizeof from;
  must(tocsin_reports_get(reports, index, &from));
  StepReport out;
  out.step = from.step;
  out.frames = {from.frames[0], from.frames[1]};
  out.avatar = from.avatar;
  out.safe_until = from.safe_until;
  out.checked_until = from.checked_until;
  out.complete = from.complete != 0;
  tocsin_contact first{};
  first.size = sizeof first;
  for (const auto& contact : all_of(first, tocsin_reports_contacts, reports, index)) {
    out.contacts.push_back(contact_from(contact));
  }
  out.clearances = all_of(0.0, tocsin_reports_clearances, reports, index);
  return out;
}

inline std::vector<StepReport> reports_from(tocsin_reports reports) {
  std::size_t count = 0;
  must(tocsin_reports_count(reports, &count));
  std::vector<StepReport> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(report_from(reports, i));
  return out;
}

}  // namespace tocsin::test
