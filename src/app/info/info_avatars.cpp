#include "app/info/info_avatars.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/text_table.h"
#include "app/cli/words.h"
#include "base/json_text.h"
#include "io/avatar/embedded_avatar_models.h"
#include "tocsin/binding.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

using Json = nlohmann::ordered_json;

std::string links_of(const Avatar& avatar) {
  return count_of(static_cast<std::int64_t>(avatar.links().size()), "link");
}

/// As in JSON.
const char* way_name(BoundBy by) {
  switch (by) {
    case BoundBy::kNames:
      return "names";
    case BoundBy::kSimilarNames:
      return "similar_names";
    case BoundBy::kShape:
      return "shape";
    case BoundBy::kBones:
      return "bones";
  }
  return "";
}

const char* way_text(BoundBy by) {
  switch (by) {
    case BoundBy::kNames:
      return "by name";
    case BoundBy::kSimilarNames:
      return "by a name like it";
    case BoundBy::kShape:
      return "by shape";
    case BoundBy::kBones:
      return "one link per bone";
  }
  return "";
}

/// Empty: a model of what trackers see, and the take is of something else.
std::string model_text(const io::EmbeddedAvatarModel& shipped, const Motion& motion) {
  const std::string name(shipped.name);
  const auto model = load_avatar_model(name);
  if (!model) return {};
  const auto bound = bind_avatar(*model, motion);
  if (!bound) {
    if (!shipped.whole) return {};
    return fmt::format("{} does not bind (tocsin check --avatar {} says why)", name, name);
  }
  const std::string how =
      bound->binding.by == BoundBy::kNames ? "" : std::string(" ") + way_text(bound->binding.by);
  return fmt::format("{} binds {}{}", name, links_of(bound->avatar), how);
}

std::string joint_name(const Motion& motion, int joint) {
  return base::printable(motion.skeleton().joints()[static_cast<std::size_t>(joint)].name);
}

std::string joints_table(const Binding& binding, const Motion& motion) {
  TextTable table({{"Joint of the model", Align::kLeft, kWidestName},
                   {"Of the skeleton", Align::kLeft, kWidestName},
                   {"Found", Align::kLeft},
                   {"Sure", Align::kLeft}});
  for (const BoundJoint& joint : binding.joints) {
    std::string found = way_text(joint.by);
    if (!joint.note.empty()) found += " (" + joint.note + ")";
    table.add(
        {joint.model_joint, joint_name(motion, joint.joint), found, joint.sure ? "yes" : "likely"});
  }
  return table.text();
}

/// Without the unit, lengths are no metres.
std::vector<std::string> notes_of(const Binding& binding, bool unit_known) {
  std::vector<std::string> out = binding.notes;
  if (unit_known) return out;
  std::erase_if(out, [](const std::string& note) {
    return note.find("longer than 1 m") != std::string::npos;
  });
  return out;
}

}  // namespace

std::string avatars_text(const Motion& motion, bool unit_known) {
  std::string out;
  const auto line = [&](const std::string& text) {
    if (!text.empty()) out += fact(out.empty() ? "Avatars" : "", text);
  };
  for (const auto& shipped : io::embedded_avatar_models()) line(model_text(shipped, motion));
  const auto bones = bind_bones(motion);
  line("one link per bone: " + (bones ? links_of(bones->avatar) : bones.error().message));
  const auto chosen = choose_bound_avatar(motion);
  if (!chosen) return out;
  line("auto takes " + (chosen->binding.by == BoundBy::kBones ? std::string("one link per bone")
                                                              : chosen->avatar.name()));
  for (const std::string& note : notes_of(chosen->binding, unit_known)) line(note);
  if (chosen->binding.joints.empty()) return out;
  return out + '\n' + joints_table(chosen->binding, motion);
}

void add_avatars(nlohmann::ordered_json& json, const Motion& motion, bool unit_known) {
  json["avatars"] = Json::array();
  for (const std::string& name : shipped_avatar_models()) {
    const auto model = load_avatar_model(name);
    if (model && bind_avatar(*model, motion)) json["avatars"].push_back(name);
  }
  const auto chosen = choose_bound_avatar(motion);
  if (!chosen) {
    json["binding"] = nullptr;
    return;
  }
  const Binding& binding = chosen->binding;
  Json out{{"avatar", chosen->avatar.name()},
           {"by", way_name(binding.by)},
           {"naming", binding.naming.empty() ? Json(nullptr) : Json(binding.naming)},
           {"notes", Json::array()},
           {"joints", Json::array()}};
  for (const std::string& note : notes_of(binding, unit_known)) {
    out["notes"].push_back(base::valid_utf8(note));
  }
  for (const BoundJoint& joint : binding.joints) {
    const auto& name = motion.skeleton().joints()[static_cast<std::size_t>(joint.joint)].name;
    out["joints"].push_back({{"model_joint", base::valid_utf8(joint.model_joint)},
                             {"joint", base::valid_utf8(name)},
                             {"by", way_name(joint.by)},
                             {"sure", joint.sure},
                             {"note", joint.note.empty() ? Json(nullptr) : Json(joint.note)}});
  }
  json["binding"] = std::move(out);
}

}  // namespace tocsin::app
