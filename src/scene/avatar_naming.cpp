#include "scene/avatar_naming.h"

namespace tocsin::scene {
namespace {

/// True if the scheme replaces the model's names instead of putting something before them.
bool lists_joints(const NamingScheme* scheme) {
  return scheme != nullptr && scheme->prefix.empty();
}

}  // namespace

AvatarNaming::AvatarNaming(const AvatarModel& model, const NamingScheme* scheme) : scheme_(scheme) {
  const auto& table = lists_joints(scheme) ? scheme->joints : model.aliases;
  for (const auto& [joint, names] : table) listed_.try_emplace(joint, &names);
}

std::vector<std::string> AvatarNaming::names_of(const std::string& joint) const {
  std::vector<std::string> names;
  if (!lists_joints(scheme_)) names.push_back(joint);
  if (const auto it = listed_.find(joint); it != listed_.end()) {
    names.insert(names.end(), it->second->begin(), it->second->end());
  }
  if (scheme_ != nullptr && !scheme_->prefix.empty()) {
    for (std::string& name : names) name.insert(0, scheme_->prefix);
  }
  return names;
}

}  // namespace tocsin::scene
