// One attempt to find all joints of an avatar model in a skeleton.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/avatar/alike_names.h"
#include "scene/avatar/avatar_naming.h"
#include "scene/avatar/joint_names.h"
#include "scene/avatar/shape/body_shape.h"
#include "tocsin/binding.h"

namespace tocsin::scene {

/// Where an attempt looks for joints.
struct JointSources {
  const Skeleton& skeleton;
  const JointNames& names;
  const NamingScheme* scheme = nullptr;  ///< null: the model's own names
  const AlikeNames* alike = nullptr;     ///< not null: names that are alike count, too
  const BodyShape* body = nullptr;       ///< not null: the shape alone counts, and no name
};

class ModelBinder {
 public:
  ModelBinder(const AvatarModel& model, const JointSources& sources);

  [[nodiscard]] bool ok() const { return missing_.empty() && !error_; }
  [[nodiscard]] std::size_t missing() const { return missing_.size(); }
  [[nodiscard]] Error error() const;
  /// In the model's order. Precondition: ok().
  [[nodiscard]] std::vector<Link> take_links() { return std::move(links_); }
  /// What was found, in order of names.
  [[nodiscard]] std::vector<BoundJoint> joints() const;
  /// The naming scheme's name; empty: the model's own names.
  [[nodiscard]] std::string naming() const;

 private:
  /// A joint that a link asks for and the skeleton lacks.
  struct Missing {
    const LinkModel* link;
    const std::string* joint;
    std::string_view role;  ///< what the link does with it: "moves with"
  };
  /// A link of the model and one of its ends, for messages.
  struct LinkEnd {
    const LinkModel& link;
    const EndPoint& end;
    std::string_view which;  ///< "a" or "b"
  };
  /// What stands for a joint of the model.
  struct Found {
    BodyRole role;
    BoundBy by = BoundBy::kNames;
    bool near = false;     ///< a letter differs
    bool at_link = false;  ///< an end without length: a link goes on to where it usually ends
  };

  void find_all();
  [[nodiscard]] Found look_up(const std::string& joint) const;
  [[nodiscard]] const BodyRole& role_of(const std::string& joint) const;
  const BodyRole& needed(const LinkModel& link, const std::string& joint, std::string_view role);
  Vec3 end_point(const LinkEnd& at, int joint);
  Vec3 beyond(const LinkEnd& at, int joint);
  [[nodiscard]] bool may_go_beyond(const LinkEnd& at, int joint) const;
  [[nodiscard]] Vec3 in_ancestor(const BodyRole& role, int ancestor) const;
  void place_shape(const LinkModel& link, const Vec3& offset, Shape& shape);
  void fail(const LinkEnd& at, const std::string& cause);

  [[nodiscard]] std::string name_of(int joint) const;
  [[nodiscard]] std::string prefix() const;
  [[nodiscard]] std::string describe_missing() const;
  [[nodiscard]] std::string schemes_tried() const;
  [[nodiscard]] std::string names_tried(const std::string& joint) const;
  [[nodiscard]] std::string other_missing() const;
  [[nodiscard]] std::string suggestion(const std::string& joint) const;

  const AvatarModel& model_;
  JointSources sources_;
  AvatarNaming naming_;
  std::map<std::string, Found> found_;
  std::vector<Link> links_;
  std::vector<Missing> missing_;
  std::optional<Error> error_;
};

/// The first naming under which everything is found; if there is none, the one with the least
/// missing (the first of equals).
std::unique_ptr<ModelBinder> best_naming(const AvatarModel& model, JointSources sources);

}  // namespace tocsin::scene
