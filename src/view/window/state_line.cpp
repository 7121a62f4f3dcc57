#include "view/window/state_line.h"

#include "io/report/json_line.h"
#include "io/report/option_names.h"

namespace tocsin::view {
namespace {

using io::JsonLine;

void append_thing(JsonLine& json, const char* key, const Player& player,
                  const std::optional<Followed>& thing) {
  json.key(key);
  if (thing) {
    json.value(player.name_of(*thing));
  } else {
    json.raw("null");
  }
}

void append_touching(JsonLine& json, const Player& player) {
  json.key("touching").open('[');
  for (const std::size_t i : contacts_at(player.story(), player.now())) {
    const StoryContact& contact = player.story().contacts[i];
    const StoryEpisode& episode = player.story().episodes[contact.episode];
    json.open('{').key("link").value(episode.link_text).key("thing").value(episode.thing_text);
    json.key("status").value(io::name_of(contact.told.status)).close('}');
  }
  json.close(']');
}

void append_marks(JsonLine& json, const Player& player) {
  json.key("marks").open('[');
  for (const std::size_t i : marks_at(player.story(), player.now())) {
    json.value(player.story().marks[i].text);
  }
  json.close(']');
  json.key("figures").open('[');
  for (const StoryFigure& figure : player.story().figures) {
    json.open('{').key("name").value(figure.name).key("state").value(figure.state);
    json.key("steps").value(static_cast<std::int64_t>(figure.steps.size())).close('}');
  }
  json.close(']');
}

void append_live(JsonLine& json, const StateNotes& notes) {
  if (!notes.live) return;
  json.key("live").open('{');
  for_each_count(*notes.live, [&json](std::string_view name, std::uint64_t count) {
    json.key(name).value(count);
  });
  json.key("lines").array(notes.live_lines).key("shown").array(notes.shown_lines).close('}');
}

void append_pace(JsonLine& json, const FramePace& pace) {
  json.key("pace").open('{').key("frames").value(pace.frames).key("pictures").value(pace.pictures);
  json.key("seconds").value(pace.seconds);
  if (pace.frames > 0) {
    const auto frames = static_cast<double>(pace.frames);
    json.key("frames_a_second").value(frames / std::max(pace.seconds, 1e-9));
    json.key("milliseconds_a_frame").value(1e3 * pace.busy / frames);
    json.key("slowest_milliseconds").value(1e3 * pace.slowest);
  }
  json.close('}');
}

}  // namespace

std::string state_line(const Player& player, const StateNotes& notes) {
  std::string out;
  JsonLine json(out);
  json.open('{').key("now").value(player.now()).key("playing").value(player.playing());
  json.key("speed").value(std::string_view(kSpeeds.at(player.speed()).text));
  json.key("chosen");
  if (player.chosen()) {
    json.value(static_cast<std::int64_t>(*player.chosen()));
  } else {
    json.raw("null");
  }
  if (const auto in = player.within()) {
    json.key("within").open('{').key("frames").array(in->frames).key("t").value(in->t);
    json.key("text")
        .value(within_text(player.story(), *in, in->t))
        .key("contact")
        .value(in->contact)
        .close('}');
  }
  json.key("from").value(player.story().times[0]).key("until").value(player.story().times[1]);
  json.key("at_live").value(player.live());
  json.key("verdict").value(player.story().verdict);
  json.key("title").value(player.story().title).key("summary").value(player.story().summary);
  json.key("episodes").value(static_cast<std::int64_t>(player.story().episodes.size()));
  json.key("listed").open('[');
  for (const std::size_t i : player.listed()) json.value(static_cast<std::int64_t>(i));
  json.close(']');
  append_touching(json, player);
  append_marks(json, player);
  append_live(json, notes);
  const Rig& rig = player.rig();
  json.key("camera").value(std::string_view(rig.mode() == Rig::Mode::kWalk ? "walk" : "orbit"));
  json.key("eye").array(rig.eye()).key("target").array(rig.target());
  append_thing(json, "picked", player, player.picked());
  append_thing(json, "followed", player, player.followed());
  json.key("tape").open('[');
  for (const Vec3& point : player.tape()) json.array(point);
  json.close(']');
  const Shown& shown = player.shown();
  json.key("room").value(shown.room).key("sweep").value(shown.sweep).key("tree").value(shown.tree);
  json.key("candidates").value(shown.candidates).key("keys").value(shown.keys);
  json.key("margin").value(notes.wish.margin).key("ignore").array(notes.wish.ignore);
  json.key("in_between").value(io::name_of(notes.wish.in_between));
  json.key("message").value(notes.message).key("check").value(notes.check);
  json.key("width")
      .value(std::int64_t{notes.width})
      .key("height")
      .value(std::int64_t{notes.height});
  json.key("scale").value(notes.scale);
  json.key("overlapping_letters").value(std::int64_t{notes.overlapping_letters});
  json.key("device").value(notes.device);
  json.key("cut_texts").value(std::int64_t{notes.cut_texts});
  append_pace(json, notes.pace);
  json.key("filming").value(notes.filming);
  json.key("lost_contexts").value(std::int64_t{notes.lost_contexts});
  json.key("labels").array(notes.labels).key("field_error").value(notes.field_error);
  json.key("study").array(notes.study).key("controls").array(notes.controls).close('}');
  return out + "\n";
}

}  // namespace tocsin::view
