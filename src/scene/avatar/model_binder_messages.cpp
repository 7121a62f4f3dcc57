// What a model that does not fit a skeleton is told.
#include <fmt/format.h>

#include <algorithm>

#include "base/quoted.h"
#include "scene/avatar/model_binder.h"

namespace tocsin::scene {

std::string ModelBinder::name_of(int joint) const {
  return base::in_quotes(sources_.skeleton.joints()[static_cast<std::size_t>(joint)].name);
}

std::string ModelBinder::prefix() const {
  const std::string file = model_.file.empty() ? std::string() : model_.file + ": ";
  return fmt::format("{}avatar model {}", file, base::in_quotes(model_.name));
}

std::string ModelBinder::describe_missing() const {
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
  text += fmt::format("\n  The skeleton's {} joints:\n{}", sources_.skeleton.size(),
                      sources_.names.listing("    "));
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
std::string ModelBinder::schemes_tried() const {
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

std::string ModelBinder::names_tried(const std::string& joint) const {
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
std::string ModelBinder::other_missing() const {
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
std::string ModelBinder::suggestion(const std::string& joint) const {
  for (const std::string& name : naming_.names_of(joint)) {
    if (std::string near = sources_.names.closest(name); !near.empty()) return near;
  }
  return {};
}

}  // namespace tocsin::scene
