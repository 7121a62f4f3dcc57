#include "app/check/contact_words.h"

#include <fmt/format.h>

namespace tocsin::app {
namespace {

const std::string& link_name(const JobTake& take, std::int32_t link) {
  return take.member.avatar.links()[static_cast<std::size_t>(link)].name;
}

}  // namespace

std::string link_text(const Job& job, std::int32_t avatar, std::int32_t link) {
  const JobTake& take = job.takes[static_cast<std::size_t>(avatar)];
  if (take.is_body && take.member.avatar.links().size() == 1) return take.name;
  const std::string& name = link_name(take, link);
  return job.several() ? fmt::format("{} of {}", name, take.name) : name;
}

const std::string& object_name(const Job& job, std::uint32_t object) {
  return job.scene ? job.scene->names[object] : job.environment.objects()[object].name;
}

std::string touched_text(const Job& job, std::int32_t avatar, const Contact& contact) {
  if (const auto* const room = contact.room()) return object_name(job, room->object);
  const auto [whose, link] = *contact.other();
  if (whose != avatar) return link_text(job, whose, link);
  return "its own " + link_name(job.takes[static_cast<std::size_t>(whose)], link);
}

}  // namespace tocsin::app
