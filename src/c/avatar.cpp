#include "tocsin/c/avatar.h"

#include <string>
#include <utility>
#include <vector>

#include "c/convert.h"
#include "c/objects.h"

namespace tocsin::c {
namespace {

Link link_from(const tocsin_link& from) {
  std::string name = text(from.name, "name");
  if (from.shape != nullptr) {
    return link_of_shape(std::move(name), from.joint, *borrow(from.shape));
  }
  Link out;
  out.name = std::move(name);
  out.joint = from.joint;
  out.a = same_bytes<Vec3>(from.a);
  out.b = same_bytes<Vec3>(from.b);
  out.radius = from.radius;
  return out;
}

const Link& link_at(const Avatar& avatar, std::size_t link) {
  if (link >= avatar.links().size()) {
    refuse("there is no link " + std::to_string(link) + ": the avatar has " +
           std::to_string(avatar.links().size()));
  }
  return avatar.links()[link];
}

Member member_from(const Avatar& avatar, const Environment* room,
                   const tocsin_member_options& options) {
  const auto ignored = texts(options.ignored, options.ignored_count, "ignored");
  const auto own = texts(options.self_ignored, options.self_ignored_count, "self_ignored");
  Member out(avatar);
  if (!ignored.empty()) {
    if (room == nullptr) refuse("`ignored` names objects: their environment is needed");
    out.active = ActivePairs::ignoring(avatar, *room, ignored).value();
  }
  if (options.self != 0) {
    out.self = LinkPairs::ignoring(avatar, own).value();
  } else if (!own.empty()) {
    refuse("`self_ignored` needs `self`");
  }
  return out;
}

}  // namespace
}  // namespace tocsin::c

using namespace tocsin;     // NOLINT(google-build-using-namespace)
using namespace tocsin::c;  // NOLINT(google-build-using-namespace)

extern "C" {

tocsin_status tocsin_avatar_create(const char* name, tocsin_skeleton skeleton,
                                   const tocsin_link* links, size_t count, tocsin_avatar* out) {
  return making(out, [&] {
    const auto from = borrow(skeleton);
    std::vector<Link> all;
    for (const tocsin_link& link : list_of(links, count, "links")) all.push_back(link_from(link));
    return give_value<tocsin_avatar>(
        Avatar::create(text(name, "name"), *from, std::move(all)).value());
  });
}

tocsin_status tocsin_avatar_of_bones(tocsin_skeleton skeleton, tocsin_avatar* out) {
  return making(
      out, [&] { return give_value<tocsin_avatar>(Avatar::automatic(*borrow(skeleton)).value()); });
}

tocsin_status tocsin_avatar_skeleton(tocsin_avatar avatar, tocsin_skeleton* out) {
  return making(out, [&] { return give_value<tocsin_skeleton>(borrow(avatar)->skeleton()); });
}

tocsin_status tocsin_avatar_link_count(tocsin_avatar avatar, size_t* count) {
  return guarded([&] {
    const auto from = borrow(avatar);
    need(count, "count");
    *count = from->links().size();
  });
}

tocsin_status tocsin_avatar_link_name(tocsin_avatar avatar, size_t link, char* buffer,
                                      size_t capacity, size_t* length) {
  return guarded([&] {
    const auto from = borrow(avatar);
    hand_out_text(link_at(*from, link).name, buffer, capacity, length);
  });
}

tocsin_status tocsin_avatar_capsule(tocsin_avatar avatar, size_t link, int32_t* joint,
                                    tocsin_vec3* a, tocsin_vec3* b, double* radius) {
  return guarded([&] {
    const auto from = borrow(avatar);
    need(joint, "joint");
    need(a, "a");
    need(b, "b");
    need(radius, "radius");
    const Link& at = link_at(*from, link);
    *joint = at.joint;
    *a = same_bytes<tocsin_vec3>(at.a);
    *b = same_bytes<tocsin_vec3>(at.b);
    *radius = at.radius;
  });
}

tocsin_status tocsin_member_create(tocsin_avatar avatar, tocsin_environment environment,
                                   const tocsin_member_options* options, tocsin_member* out) {
  return making(out, [&] {
    const auto from = borrow(avatar);
    const auto asked = read_options(options, "options");
    const auto room = environment == nullptr ? nullptr : borrow(environment);
    return give_value<tocsin_member>(member_from(*from, room.get(), asked));
  });
}
}
