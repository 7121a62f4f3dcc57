// The names under which the joints of an avatar model are looked up in a skeleton.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scene/avatar/alike_names.h"
#include "scene/avatar/joint_names.h"
#include "tocsin/avatar.h"

namespace tocsin::scene {

/// One way to name all joints of a model: its own names with their aliases, or one of its naming
/// schemes. Refers to the model, which must outlive it.
class AvatarNaming {
 public:
  /// `scheme`: one of the model's; null: the model's own names.
  AvatarNaming(const AvatarModel& model, const NamingScheme* scheme);

  /// The names of a joint, to be tried in this order; empty if the scheme does not name it.
  [[nodiscard]] std::vector<std::string> names_of(const std::string& joint) const;

  /// Null: the model's own names.
  [[nodiscard]] const NamingScheme* scheme() const { return scheme_; }

 private:
  const NamingScheme* scheme_;
  /// The model's aliases, or what the scheme lists.
  std::map<std::string, const std::vector<std::string>*> listed_;
};

/// False: Avatar::bind fails, because under no naming the skeleton has the joints of all links. Far
/// less work than binding where most models do not fit. For small models: it searches the aliases
/// for every link. `alike` not null: names that are alike count, too.
bool may_bind(const AvatarModel& model, const JointNames& names, const AlikeNames* alike = nullptr);

}  // namespace tocsin::scene
