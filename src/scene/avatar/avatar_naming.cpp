#include "scene/avatar/avatar_naming.h"

#include <algorithm>

namespace tocsin::scene {
namespace {

/// True if the scheme replaces the model's names instead of putting something before them.
bool lists_joints(const NamingScheme* scheme) {
  return scheme != nullptr && scheme->prefix.empty();
}

/// The model's aliases, or what the scheme lists.
const auto& table_of(const AvatarModel& model, const NamingScheme* scheme) {
  return lists_joints(scheme) ? scheme->joints : model.aliases;
}

/// `listed`: the table's names of the joint; null: it has none.
std::vector<std::string> all_names(const NamingScheme* scheme, const std::string& joint,
                                   const std::vector<std::string>* listed) {
  std::vector<std::string> names;
  if (!lists_joints(scheme)) names.push_back(joint);
  if (listed != nullptr) names.insert(names.end(), listed->begin(), listed->end());
  if (scheme != nullptr && !scheme->prefix.empty()) {
    for (std::string& name : names) name.insert(0, scheme->prefix);
  }
  return names;
}

}  // namespace

AvatarNaming::AvatarNaming(const AvatarModel& model, const NamingScheme* scheme) : scheme_(scheme) {
  for (const auto& [joint, names] : table_of(model, scheme)) listed_.try_emplace(joint, &names);
}

std::vector<std::string> AvatarNaming::names_of(const std::string& joint) const {
  const auto it = listed_.find(joint);
  return all_names(scheme_, joint, it == listed_.end() ? nullptr : it->second);
}

bool may_bind(const AvatarModel& model, const JointNames& names, const AlikeNames* alike) {
  const auto has = [&](const NamingScheme* scheme, const std::string& joint) {
    const auto& table = table_of(model, scheme);
    const auto it = std::find_if(table.begin(), table.end(),
                                 [&joint](const auto& entry) { return entry.first == joint; });
    const std::vector<std::string> wanted =
        all_names(scheme, joint, it == table.end() ? nullptr : &it->second);
    if (names.find(wanted) >= 0) return true;
    // Whatever others take, it is nothing else that ModelBinder could find.
    return alike != nullptr && (alike->find_same(wanted) >= 0 || alike->find_near(wanted, {}) >= 0);
  };
  const auto fits = [&](const NamingScheme* scheme) {
    return std::all_of(model.links.begin(), model.links.end(),
                       [&](const LinkModel& link) { return has(scheme, link.joint); });
  };
  return fits(nullptr) || std::any_of(model.schemes.begin(), model.schemes.end(),
                                      [&](const NamingScheme& scheme) { return fits(&scheme); });
}

}  // namespace tocsin::scene
