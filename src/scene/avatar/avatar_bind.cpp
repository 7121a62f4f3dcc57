// Avatar::bind: from the joint names of a model to the joints of a skeleton.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "core/vector/vec.h"
#include "scene/avatar/avatar_naming.h"
#include "scene/avatar/avatar_scale.h"
#include "scene/avatar/joint_names.h"
#include "tocsin/avatar.h"

namespace tocsin {
namespace {

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

/// One attempt to find all joints of a model, under the names of one naming.
class Binder {
 public:
  Binder(const AvatarModel& model, const Skeleton& skeleton, const scene::JointNames& names,
         const NamingScheme* scheme)
      : model_(model), skeleton_(skeleton), names_(names), naming_(model, scheme) {
    links_.reserve(model_.links.size());
    for (const LinkModel& link : model_.links) {
      Link bound;
      bound.name = link.name;
      bound.radius = link.radius;
      bound.joint = joint_of(link, link.joint, "moves with");
      bound.a = end_point({link, link.a, "a"}, bound.joint);
      bound.b = end_point({link, link.b, "b"}, bound.joint);
      links_.push_back(std::move(bound));
    }
  }

  [[nodiscard]] bool ok() const { return missing_.empty() && !error_; }
  [[nodiscard]] std::size_t missing() const { return missing_.size(); }
  [[nodiscard]] Error error() const {
    return missing_.empty() ? *error_ : Error{ErrorCode::kInput, describe_missing()};
  }
  /// In the model's order. Precondition: ok().
  [[nodiscard]] std::vector<Link> take_links() { return std::move(links_); }

 private:
  /// Index of the joint, or -1.
  int find(const std::string& joint) {
    const auto [known, fresh] = found_.try_emplace(joint, -1);
    if (fresh) known->second = names_.find(naming_.names_of(joint));
    return known->second;
  }

  /// The same; a joint that is not there is noted.
  int joint_of(const LinkModel& link, const std::string& joint, std::string_view role) {
    const int found = find(joint);
    if (found < 0) missing_.push_back({&link, &joint, role});
    return found;
  }

  Vec3 end_point(const LinkEnd& at, int joint) {
    if (at.end.joint.empty()) return at.end.offset;
    const int target = find(at.end.joint);
    if (target < 0 && !at.end.beyond.empty()) return beyond(at, joint);
    if (target < 0) {
      missing_.push_back({&at.link, &at.end.joint,
                          at.which == "a" ? "has its end point a at" : "has its end point b at"});
    }
    if (target < 0 || joint < 0) return {};
    if (!skeleton_.descends(target, joint)) {
      fail(at, fmt::format("is joint {}, which does not lie below the link's joint {}",
                           name_of(target), name_of(joint)));
      return {};
    }
    return skeleton_.rest_position_in(target, joint);
  }

  /// The point beyond the link's joint, seen from another joint in the rest pose.
  Vec3 beyond(const LinkEnd& at, int joint) {
    const int from = joint_of(at.link, at.end.beyond, "looks for its end point beyond");
    if (from < 0 || joint < 0) return {};
    if (!skeleton_.descends(joint, from)) {
      fail(at, fmt::format("is sought beyond joint {}, which does not lie above the link's joint "
                           "{}",
                           name_of(from), name_of(joint)));
      return {};
    }
    // The way from that joint to the link's, first in that joint's frame, then in the link's.
    Vec3 way = skeleton_.rest_position_in(joint, from);
    std::vector<int> path;
    for (int i = joint; i > from; i = skeleton_.joints()[static_cast<std::size_t>(i)].parent) {
      path.push_back(i);
    }
    for (auto i = path.rbegin(); i != path.rend(); ++i) {
      const Quat& turn = skeleton_.joints()[static_cast<std::size_t>(*i)].rest.rotation;
      way = core::rotate(core::conjugate(turn), way);
    }
    return at.end.times * way;
  }

  /// Keeps the first thing that is wrong with an end point.
  void fail(const LinkEnd& at, const std::string& cause) {
    if (error_) return;
    error_ = Error{ErrorCode::kInput, fmt::format("{}, link {}: its end point {} {}", prefix(),
                                                  base::in_quotes(at.link.name), at.which, cause)};
  }

  [[nodiscard]] std::string name_of(int joint) const {
    return base::in_quotes(skeleton_.joints()[static_cast<std::size_t>(joint)].name);
  }

  [[nodiscard]] std::string prefix() const {
    const std::string file = model_.file.empty() ? std::string() : model_.file + ": ";
    return fmt::format("{}avatar model {}", file, base::in_quotes(model_.name));
  }

  [[nodiscard]] std::string describe_missing() const {
    const Missing& first = missing_.front();
    std::string text = fmt::format(
        "{} does not fit this skeleton{}\n  Link {} {} joint {}, which the skeleton does not "
        "have{}",
        prefix(), schemes_tried(), base::in_quotes(first.link->name), first.role,
        base::in_quotes(*first.joint), names_tried(*first.joint));
    if (std::string others = other_missing(); !others.empty()) {
      text += "\n  Also missing: " + others;
    }
    if (std::string near = suggestion(*first.joint); !near.empty()) {
      text += fmt::format("\n  Did you mean {}?", base::in_quotes(near));
    }
    text +=
        fmt::format("\n  The skeleton's {} joints:\n{}", skeleton_.size(), names_.listing("    "));
    // A scheme that lists joints is a whole: an alias would not be looked at there.
    const NamingScheme* scheme = naming_.scheme();
    const bool listed = scheme != nullptr && scheme->prefix.empty();
    text += fmt::format(
        "\n  Choose --avatar auto, or add the skeleton's name for the joint to the model{}:\n"
        "    \"{}\": {{{}: [\"...\"]}}",
        listed ? "'s naming scheme " + base::in_quotes(scheme->name) : std::string(),
        listed ? "joints" : "aliases", base::in_quotes(*first.joint));
    return text;
  }

  /// Empty if the model has no schemes.
  [[nodiscard]] std::string schemes_tried() const {
    constexpr std::size_t kShown = 20;
    if (model_.schemes.empty()) return {};
    std::string text = "\n  Tried: the model's own names";
    for (std::size_t i = 0; i < std::min(model_.schemes.size(), kShown); ++i) {
      text += ", " + base::escaped(model_.schemes[i].name);
    }
    if (model_.schemes.size() > kShown) text += ", ...";
    return text + "; closest: " +
           (naming_.scheme() == nullptr ? "its own names" : base::escaped(naming_.scheme()->name));
  }

  [[nodiscard]] std::string names_tried(const std::string& joint) const {
    constexpr std::size_t kShown = 40;
    const std::vector<std::string> tried = naming_.names_of(joint);
    const bool own = naming_.scheme() == nullptr;
    const std::size_t first = own ? 1 : 0;  // the model's own name has been said already
    if (tried.size() <= first) return own ? "; it has no aliases" : "; the scheme does not name it";
    std::string text = own ? "; aliases tried: " : "; names tried: ";
    for (std::size_t i = first; i < std::min(tried.size(), kShown); ++i) {
      text += (i > first ? ", " : "") + base::escaped(tried[i]);
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
      text += (i > 1 ? ", " : "") + base::escaped(names[i]);
    }
    if (names.size() > kShown) text += ", ...";
    return text;
  }

  /// The skeleton's joint that comes closest to one of the names.
  [[nodiscard]] std::string suggestion(const std::string& joint) const {
    for (const std::string& name : naming_.names_of(joint)) {
      if (std::string near = names_.closest(name); !near.empty()) return near;
    }
    return {};
  }

  const AvatarModel& model_;
  const Skeleton& skeleton_;
  const scene::JointNames& names_;
  scene::AvatarNaming naming_;
  std::map<std::string, int> found_;
  std::vector<Link> links_;
  std::vector<Missing> missing_;
  std::optional<Error> error_;
};

/// The first naming under which everything is found; if there is none, the one with the least
/// missing (the first of equals).
std::unique_ptr<Binder> best_binder(const AvatarModel& model, const Skeleton& skeleton,
                                    const scene::JointNames& names) {
  auto best = std::make_unique<Binder>(model, skeleton, names, nullptr);
  for (const NamingScheme& scheme : model.schemes) {
    if (best->ok()) break;
    auto next = std::make_unique<Binder>(model, skeleton, names, &scheme);
    if (next->ok() || next->missing() < best->missing()) best = std::move(next);
  }
  return best;
}

}  // namespace

Result<Avatar> Avatar::bind(const AvatarModel& model, const Skeleton& skeleton,
                            const RadiusScale& scale) {
  if (skeleton.size() == 0) return {ErrorCode::kInput, "an avatar needs a skeleton with joints"};
  const scene::JointNames names(skeleton);
  const std::unique_ptr<Binder> binder = best_binder(model, skeleton, names);
  if (!binder->ok()) return binder->error();
  std::vector<Link> links = binder->take_links();
  const Result<scene::RadiusFactor> factor = scene::radius_factor(scale, model, links);
  if (!factor.ok()) return factor.error();
  if (const Status scaled = scene::scale_radii(links, factor.value().value, scale); !scaled.ok()) {
    return scaled.error();
  }
  Result<Avatar> avatar = create(model.name, skeleton, std::move(links));
  if (avatar.ok()) avatar->radius_factor_ = factor.value().value;
  return avatar;
}

Result<Avatar> Avatar::bind(const Result<AvatarModel>& model, const Skeleton& skeleton,
                            const RadiusScale& scale) {
  if (!model.ok()) return model.error();
  return bind(model.value(), skeleton, scale);
}

}  // namespace tocsin
