// Avatar::bind: from the joint names of a model to the joints of a skeleton.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/joint_names.h"
#include "scene/quoted.h"
#include "tocsin/avatar.h"

namespace tocsin {
namespace {

/// A joint that a link asks for and the skeleton lacks.
struct Missing {
  const LinkModel* link;
  const std::string* joint;
  std::string_view role;  ///< what the link does with it: "moves with"
};

/// Finds the joints that a model names, each name once.
class Binder {
 public:
  Binder(const AvatarModel& model, const Skeleton& skeleton)
      : model_(model), skeleton_(skeleton), names_(skeleton) {
    for (const auto& [name, others] : model.aliases) aliases_.try_emplace(name, &others);
  }

  Result<Avatar> bind() {
    std::vector<Link> links;
    links.reserve(model_.links.size());
    for (const LinkModel& link : model_.links) {
      Link bound;
      bound.name = link.name;
      bound.radius = link.radius;
      bound.joint = joint_of(link, link.joint, "moves with");
      bound.a = end_point(link, link.a, bound.joint, "a");
      bound.b = end_point(link, link.b, bound.joint, "b");
      links.push_back(std::move(bound));
    }
    if (!missing_.empty()) return Error{ErrorCode::kInput, describe_missing()};
    if (error_) return *error_;
    return Avatar::create(model_.name, skeleton_, std::move(links));
  }

 private:
  /// The name itself, then its aliases.
  [[nodiscard]] std::vector<std::string> candidates(const std::string& joint) const {
    std::vector<std::string> out{joint};
    if (const auto it = aliases_.find(joint); it != aliases_.end()) {
      out.insert(out.end(), it->second->begin(), it->second->end());
    }
    return out;
  }

  int joint_of(const LinkModel& link, const std::string& joint, std::string_view role) {
    const auto [known, fresh] = found_.try_emplace(joint, -1);
    if (fresh) known->second = names_.find(candidates(joint));
    if (known->second < 0) missing_.push_back({&link, &joint, role});
    return known->second;
  }

  Vec3 end_point(const LinkModel& link, const EndPoint& end, int joint, std::string_view which) {
    if (end.joint.empty()) return end.offset;
    const int target = joint_of(link, end.joint,
                                which == "a" ? "has its end point a at" : "has its end point b at");
    if (target < 0 || joint < 0) return {};
    if (!skeleton_.descends(target, joint)) {
      if (!error_) {
        error_ = Error{ErrorCode::kInput, describe_no_descendant(link, target, joint, which)};
      }
      return {};
    }
    return skeleton_.rest_position_in(target, joint);
  }

  [[nodiscard]] std::string prefix() const {
    const std::string file = model_.file.empty() ? std::string() : model_.file + ": ";
    return fmt::format("{}avatar model {}", file, scene::quoted(model_.name));
  }

  [[nodiscard]] std::string describe_no_descendant(const LinkModel& link, int target, int joint,
                                                   std::string_view which) const {
    const auto joints = skeleton_.joints();
    return fmt::format(
        "{}, link {}: its end point {} is joint {}, which does not lie below the link's joint {}",
        prefix(), scene::quoted(link.name), which,
        scene::quoted(joints[static_cast<std::size_t>(target)].name),
        scene::quoted(joints[static_cast<std::size_t>(joint)].name));
  }

  [[nodiscard]] std::string describe_missing() const {
    const Missing& first = missing_.front();
    std::string text = fmt::format(
        "{} does not fit this skeleton\n  Link {} {} joint {}, which the skeleton does not have{}",
        prefix(), scene::quoted(first.link->name), first.role, scene::quoted(*first.joint),
        aliases_tried(*first.joint));
    if (std::string others = other_missing(); !others.empty()) {
      text += "\n  Also missing: " + others;
    }
    if (std::string near = suggestion(*first.joint); !near.empty()) {
      text += fmt::format("\n  Did you mean {}?", scene::quoted(near));
    }
    text +=
        fmt::format("\n  The skeleton's {} joints:\n{}", skeleton_.size(), names_.listing("    "));
    text += fmt::format(
        "\n  Choose --avatar auto, or add the skeleton's name for the joint to the model:\n"
        "    \"aliases\": {{{}: [\"...\"]}}",
        scene::quoted(*first.joint));
    return text;
  }

  [[nodiscard]] std::string aliases_tried(const std::string& joint) const {
    constexpr std::size_t kShown = 40;
    const std::vector<std::string> tried = candidates(joint);
    if (tried.size() == 1) return "; it has no aliases";
    std::string text = "; aliases tried: ";
    for (std::size_t i = 1; i < std::min(tried.size(), kShown); ++i) {
      text += (i > 1 ? ", " : "") + scene::printable(tried[i]);
    }
    return text + (tried.size() > kShown ? ", ..." : "");
  }

  /// The other joints that are missing, each once.
  [[nodiscard]] std::string other_missing() const {
    constexpr std::size_t kShown = 20;
    std::vector<std::string_view> names{*missing_.front().joint};
    for (const Missing& m : missing_) {
      if (std::find(names.begin(), names.end(), *m.joint) == names.end()) names.push_back(*m.joint);
      if (names.size() > kShown) break;
    }
    std::string text;
    for (std::size_t i = 1; i < std::min(names.size(), kShown); ++i) {
      text += (i > 1 ? ", " : "") + scene::printable(names[i]);
    }
    if (names.size() > kShown) text += ", ...";
    return text;
  }

  /// The skeleton's joint that comes closest to the name or one of its aliases.
  [[nodiscard]] std::string suggestion(const std::string& joint) const {
    for (const std::string& name : candidates(joint)) {
      if (std::string near = names_.closest(name); !near.empty()) return near;
    }
    return {};
  }

  const AvatarModel& model_;
  const Skeleton& skeleton_;
  scene::JointNames names_;
  std::map<std::string, const std::vector<std::string>*> aliases_;
  std::map<std::string, int> found_;
  std::vector<Missing> missing_;
  std::optional<Error> error_;
};

}  // namespace

Result<Avatar> Avatar::bind(const AvatarModel& model, const Skeleton& skeleton) {
  if (skeleton.size() == 0) return {ErrorCode::kInput, "an avatar needs a skeleton with joints"};
  return Binder(model, skeleton).bind();
}

Result<Avatar> Avatar::bind(const Result<AvatarModel>& model, const Skeleton& skeleton) {
  if (!model.ok()) return model.error();
  return bind(model.value(), skeleton);
}

}  // namespace tocsin
