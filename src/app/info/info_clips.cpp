#include "app/info/info_clips.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/text_table.h"
#include "app/cli/words.h"
#include "base/json_text.h"

namespace tocsin::app {
namespace {

std::string clip_rate_text(const MotionClip& clip) {
  return clip.rate > 0.0 ? brief(clip.rate) + " Hz" : "uneven";
}

std::string clip_table(const MotionContents& contents) {
  TextTable table({{"Clip", Align::kLeft, kWidestListedName},
                   {"Seconds", Align::kRight},
                   {"Keys", Align::kRight},
                   {"Rate", Align::kRight}});
  for (const MotionClip& clip : contents.clips) {
    table.add({base::printable(clip.name), brief(clip.seconds), grouped(clip.keys),
               clip_rate_text(clip)});
  }
  return table.text();
}

std::string skin_table(const MotionContents& contents) {
  TextTable table({{"Skeleton", Align::kLeft, kWidestListedName}, {"Joints", Align::kRight}});
  for (const MotionSkin& skin : contents.skins) {
    table.add({base::printable(skin.name), grouped(skin.joints)});
  }
  return table.text();
}

}  // namespace

std::string clips_text(const MotionContents& contents) {
  std::string out;
  if (contents.clips.size() > 1) out += '\n' + clip_table(contents);
  if (contents.skins.size() > 1) out += '\n' + skin_table(contents);
  return out;
}

void add_contents(nlohmann::ordered_json& json, const MotionContents& contents) {
  json["clips"] = nlohmann::ordered_json::array();
  for (const MotionClip& clip : contents.clips) {
    nlohmann::ordered_json one{
        {"name", base::valid_utf8(clip.name)}, {"seconds", clip.seconds}, {"keys", clip.keys}};
    one["rate"] =
        clip.rate > 0.0 ? nlohmann::ordered_json(clip.rate) : nlohmann::ordered_json(nullptr);
    json["clips"].push_back(std::move(one));
  }
  json["skins"] = nlohmann::ordered_json::array();
  for (const MotionSkin& skin : contents.skins) {
    json["skins"].push_back({{"name", base::valid_utf8(skin.name)}, {"joints", skin.joints}});
  }
}

std::string contents_for_people(const std::string& file, const MotionContents& contents) {
  std::string out =
      fmt::format("{}: {} and {}; choose with --clip NAME{}\n", base::printable(file),
                  count_of(static_cast<std::int64_t>(contents.clips.size()), "clip"),
                  count_of(static_cast<std::int64_t>(contents.skins.size()), "skeleton"),
                  contents.skins.size() > 1 ? " (and --skin NAME, if the clip moves several)" : "");
  return out + '\n' + clip_table(contents) + '\n' + skin_table(contents);
}

std::string contents_for_programs(const std::string& file, const MotionContents& contents) {
  nlohmann::ordered_json json;
  json["kind"] = "motion";
  json["file"] = base::valid_utf8(file);
  add_contents(json, contents);
  return json.dump() + '\n';
}

}  // namespace tocsin::app
