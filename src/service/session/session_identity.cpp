#include "service/session/session_identity.h"

#include <cstddef>
#include <cstdint>
#include <numeric>

#include "scene/motion/avatar_tree.h"
#include "service/session/session_id.h"
#include "tocsin/version.h"

namespace tocsin::service {
namespace {

/// Joints for each that a pose brings, at most. Larger: a short message costs the thread that reads
/// it more, as each of its poses is filled up.
constexpr std::size_t kMostLeftOut = 16;

}  // namespace

std::string SessionIdentity::shown() const { return shown_session(id); }

void SessionIdentity::describe(const RoomDevice* device, TrackOpened& opened) const {
  opened.session_id = id;
  opened.environment = room->info();
  opened.avatar = avatar.name();
  opened.radius_factor = avatar.radius_factor();
  opened.links.clear();
  for (const Link& link : avatar.links()) opened.links.push_back(link.name);
  const bool on_device = device != nullptr && device->works();
  opened.backend = on_device ? device->backend() : room->backend;
  opened.device = on_device ? device->name() : room->device_name;
  opened.version = kVersion;
  opened.warnings = warnings;
  opened.joints = linked_joints();
}

std::vector<std::uint32_t> SessionIdentity::linked_joints() const {
  const std::vector<std::int32_t>& used = scene::tree_of(avatar)->used;
  const std::size_t joints = avatar.skeleton().joints().size();
  if (!tracker.world && used.size() * kMostLeftOut >= joints) return {used.begin(), used.end()};
  std::vector<std::uint32_t> all(joints);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

std::string SessionIdentity::object_name(std::uint32_t object) const {
  return room->scene ? room->scene->name_of(object) : room->environment.objects()[object].name;
}

ContactNames SessionIdentity::names_of(const Contact& contact, const MemberCards& others) const {
  const auto links = avatar.links();
  const std::string& link = links[static_cast<std::size_t>(contact.link)].name;
  if (const RoomTriangle* const touched = contact.room()) {
    return {link, object_name(touched->object)};
  }
  const auto other = static_cast<std::size_t>(contact.other()->link);
  if (contact.other()->avatar == 0) return {link, {}, links[other].name, {}};
  const auto number = static_cast<std::uint32_t>(contact.other()->avatar);
  const auto card = std::find_if(others.begin(), others.end(),
                                 [number](const auto& one) { return one->number == number; });
  if (card == others.end()) return {link, {}, {}, {}};
  return {link, {}, (*card)->links[other], (*card)->label};
}

}  // namespace tocsin::service
