// The lines of a report, one function each.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/report/json_line.h"
#include "io/report/option_names.h"
#include "io/report/report.h"
#include "tocsin/version.h"

namespace tocsin::io {
namespace {

bool is_utf8(std::string_view text) { return base::valid_utf8(text) == text; }

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  return out;
}

void append_inputs(JsonLine& json, const std::vector<InputRecord>& inputs) {
  json.key("inputs").open('[');
  for (const InputRecord& input : inputs) {
    json.open('{').key("role").value(input.role).key("file").value(input.file);
    json.key("sha256").value(input.sha256);
    // Written only where `file` cannot say it.
    if (!is_utf8(input.file)) json.key("file_bytes").value(hex_of(input.file));
    json.close('}');
  }
  json.close(']');
}

/// What each take has of its own: a value where there is one take, else a list of one a take.
class TakeValues {
 public:
  TakeValues(JsonLine& json, const std::vector<Take>& takes) : json_(json), takes_(takes) {}
  [[nodiscard]] bool several() const { return takes_.size() > 1; }

  /// append(json, take): appends the value.
  template <class Append>
  void add(std::string_view name, const Append& append) {
    json_.key(name);
    if (several()) json_.open('[');
    for (const Take& take : takes_) append(json_, take);
    if (several()) json_.close(']');
  }

 private:
  JsonLine& json_;
  const std::vector<Take>& takes_;
};

/// Null where there is no text.
std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

/// How each take was read.
void append_readings(TakeValues& takes) {
  takes.add("motion_unit", [](JsonLine& line, const Take& take) {
    line.value(take.reading.unit_metres.value_or(1.0));
  });
  takes.add("skeleton", [](JsonLine& line, const Take& take) {
    const auto& file = take.reading.skeleton;
    line.value(file ? std::optional(file->string()) : std::nullopt);
  });
  takes.add("rate", [](JsonLine& line, const Take& take) { line.value(take.reading.rate); });
  takes.add("clip",
            [](JsonLine& line, const Take& take) { line.value(unless_empty(take.reading.clip)); });
  takes.add("skin",
            [](JsonLine& line, const Take& take) { line.value(unless_empty(take.reading.skin)); });
}

void append_place(JsonLine& json, const Take& take) {
  const auto& [at, yaw] = take.avatar.place;
  json.array(std::array<double, 4>{at.x, at.y, at.z, yaw});
}

void append_frames(JsonLine& json, const Take& take) {
  const auto& [first, last, stride] = take.frames;
  json.array(std::array<std::int64_t, 3>{first, last, stride});
}

/// What a take's avatar holds.
void append_held(JsonLine& json, const Take& take) {
  json.open('[');
  for (const HeldMesh& held : take.avatar.hold) {
    const Quat& q = held.place.rotation;
    json.open('{').key("joint").value(held.joint).key("mesh").value(held.mesh);
    json.key("translation").array(held.place.translation);
    json.key("rotation").array(std::array<double, 4>{q.w, q.x, q.y, q.z}).close('}');
  }
  json.close(']');
}

void append_bodies(JsonLine& json, const std::vector<BodySpec>& bodies) {
  json.key("bodies").open('[');
  for (const BodySpec& body : bodies) {
    json.open('{').key("name").value(body.name).key("mesh").value(body.mesh);
    json.key("motion").value(unless_empty(body.motion)).close('}');
  }
  json.close(']');
}

/// A report without the option is one of surfaces, as all were before there were solids.
bool all_surfaces(const std::vector<std::string>& patterns) {
  return std::find(patterns.begin(), patterns.end(), "*") != patterns.end();
}

void append_options(JsonLine& json, const CheckOptions& o) {
  json.key("options").open('{');
  TakeValues takes(json, o.takes);
  takes.add("avatar", [](JsonLine& line, const Take& take) { line.value(take.avatar.model); });
  append_readings(takes);
  takes.add("scale_radii",
            [](JsonLine& line, const Take& take) { line.value(take.avatar.radii.factor); });
  takes.add("motion_up",
            [](JsonLine& line, const Take& take) { line.value(name_of(take.reading.up)); });
  json.key("env_up").value(name_of(o.room.up));
  json.key("env_scale").value(o.room.scale);
  takes.add("place", append_place);
  takes.add("frames", append_frames);
  const CheckSpec& spec = o.spec;
  json.key("in_between").value(name_of(spec.in_between));
  json.key("margin").value(spec.margin).key("ignore").array(spec.ignore);
  json.key("contacts").value(name_of(spec.contacts)).key("clearance").value(spec.clearance);
  json.key("sampled").value(o.sampled).key("tolerance").value(spec.tolerance);
  json.key("backend").value(name_of(o.backend)).key("threads").value(o.threads);
  json.key("certify").value(o.experiments.certify).key("gl_device").value(o.gl.device);
  json.key("gl_size").array(std::array<int, 2>{o.gl.width, o.gl.height});
  json.key("gl_method").value(name_of(o.gl.method));
  json.key("tree_cache").value(unless_empty(o.tree_cache));
  json.key("out").value(o.out).key("fail_on_contact").value(o.fail_on_contact);
  // Written only if set, so that a report of one take without --self is unchanged.
  if (o.cuda.devices.size() == 1) json.key("cuda_device").value(o.cuda.devices.front());
  if (o.cuda.devices.size() > 1) json.key("cuda_devices").array(o.cuda.devices);
  if (o.experiments.emulate) json.key("emulate").value(true);
  if (spec.self) json.key("self").value(true);
  if (o.near > 0.0) json.key("near").value(o.near);
  if (o.nearest > 0.0) json.key("nearest").value(o.nearest);
  if (!all_surfaces(spec.surfaces)) json.key("surface").array(spec.surfaces);
  const bool held = std::any_of(o.takes.begin(), o.takes.end(),
                                [](const Take& take) { return !take.avatar.hold.empty(); });
  if (held) takes.add("hold", append_held);
  if (!spec.bodies.empty()) append_bodies(json, spec.bodies);
  if (o.several()) {
    takes.add("start", [](JsonLine& line, const Take& take) { line.value(take.start); });
    json.key("absent").value(name_of(o.absent));
  }
  json.close('}');
}

void append_avatars(JsonLine& json, const std::vector<AvatarRecord>& avatars) {
  json.key("avatars").open('[');
  for (const AvatarRecord& avatar : avatars) {
    json.open('{').key("motion").value(avatar.motion).key("name").value(avatar.name);
    json.key("links").array(avatar.links).key("frames").value(avatar.frames);
    json.key("frame_time").value(avatar.frame_time);
    json.key("unit_metres").value(avatar.unit_metres).close('}');
  }
  json.close(']');
}

}  // namespace

std::string run_line(const RunRecord& run) {
  std::string out;
  JsonLine json(out);
  json.open('{').key("type").value(std::string_view("run"));
  json.key("format").value(std::string_view("tocsin.report.v1"));
  json.key("version").value(std::string_view(tocsin::kVersion));
  json.key("backend").value(run.backend).key("device").value(run.device);
  if (!run.choice.empty()) json.key("choice").value(run.choice);
  json.key("certified").value(run.certified);
  append_inputs(json, run.inputs);
  append_options(json, run.options);
  json.key("frames").value(run.frames).key("frame_time").value(run.frame_time);
  json.key("unit_metres").value(run.unit_metres).key("links").array(run.links);
  json.key("objects").value(run.objects).key("triangles").value(run.triangles);
  if (!run.avatars.empty()) append_avatars(json, run.avatars);
  if (run.time_line) {
    json.key("time_line").open('{').key("instants").value(run.time_line->instants);
    json.key("from").value(run.time_line->from).key("to").value(run.time_line->to).close('}');
  }
  if (!run.tells.empty()) json.key("tells").array(run.tells);
  json.close('}');
  return out;
}

namespace {

/// Which link of which avatar touches what; `triangle`: of an object, its triangle as well.
void append_pair(JsonLine& json, const Touched& thing, int avatar, std::string_view link,
                 std::string_view touched, bool triangle) {
  json.key("avatar").value(avatar);
  json.key("link").value(link);
  if (const OtherLink* const other = std::get_if<OtherLink>(&thing)) {
    json.key("other").open('{').key("avatar").value(other->avatar);
    json.key("link").value(touched).close('}');
    return;
  }
  json.key("object").value(touched);
  if (triangle)
    json.key("triangle").value(static_cast<std::uint64_t>(std::get<RoomTriangle>(thing).triangle));
}

void append_deepest(JsonLine& json, const Deepest& deepest) {
  json.key("deepest").open('{').key("frame").value(deepest.frames[0]);
  json.key("seconds").value(deepest.seconds).key("depth").value(deepest.depth);
  // Written only where it holds.
  if (deepest.inside) json.key("inside").value(true);
  if (deepest.through) json.key("through").value(true);
  if (deepest.between()) json.key("between").value(true);
  json.close('}');
}

}  // namespace

std::string contact_line(const Step& step, const Contact& contact, int avatar,
                         std::string_view link, std::string_view touched) {
  std::string out;
  JsonLine json(out);
  json.open('{').key("type").value(std::string_view("contact"));
  json.key("step").value(step.index()).key("frames").array(step.frames());
  json.key("seconds").array(
      std::array<double, 2>{step.seconds(contact.toc[0]), step.seconds(contact.toc[1])});
  json.key("toc").array(contact.toc);
  if (contact.touching) json.key("touching").array(*contact.touching);
  append_pair(json, contact.touched, avatar, link, touched, /*triangle=*/true);
  // Of links with shapes only.
  if (contact.link_feature) json.key("link_triangle").value(std::uint64_t{*contact.link_feature});
  if (contact.other_feature)
    json.key("other_triangle").value(std::uint64_t{*contact.other_feature});
  json.key("status").value(name_of(contact.status)).key("point").array(contact.point);
  json.key("normal");
  if (contact.normal) {
    json.array(*contact.normal);
  } else {
    json.raw("null");
  }
  // Written only where it holds, so that it costs nothing everywhere else.
  if (contact.inside) json.key("inside").value(true).key("depth").value(contact.depth);
  if (contact.limited) json.key("limited").value(true);
  json.close('}');
  return out;
}

std::string clearance_line(const Step& step, double metres, int avatar, std::string_view link) {
  std::string out;
  JsonLine json(out);
  json.open('{').key("type").value(std::string_view("clearance"));
  json.key("step").value(step.index()).key("frames").array(step.frames());
  json.key("avatar").value(avatar).key("link").value(link);
  json.key("metres").value(metres).close('}');
  return out;
}

std::string episode_line(const Episode& episode, std::string_view link, std::string_view touched) {
  std::string out;
  JsonLine json(out);
  json.open('{').key("type").value(std::string_view("episode"));
  append_pair(json, episode.first.touched, episode.avatar, link, touched, /*triangle=*/false);
  json.key("frames").array(episode.frames);
  json.key("seconds").array(std::array<double, 2>{episode.first_touch[1], episode.until});
  json.key("steps").value(episode.steps);
  if (episode.deepest) append_deepest(json, *episode.deepest);
  json.key("first").raw(contact_line(episode.begin, episode.first, episode.avatar, link, touched));
  json.close('}');
  return out;
}

std::string near_line(const NearPair& pair, std::string_view link, std::string_view thing) {
  std::string out;
  JsonLine json(out);
  json.open('{').key("type").value(std::string_view("near"));
  append_pair(json, pair.thing, pair.avatar, link, thing, /*triangle=*/false);
  json.key("frame").value(pair.frames[0]).key("seconds").value(pair.seconds);
  json.key("metres").value(pair.metres);
  if (pair.frames[0] != pair.frames[1]) json.key("between").value(true);
  json.close('}');
  return out;
}

std::string distance_line(const FrameDistance& distance, std::string_view link,
                          std::string_view object) {
  const LinkDistance& at = distance.at;
  std::string out;
  JsonLine json(out);
  json.open('{').key("type").value(std::string_view("distance"));
  json.key("frame").value(distance.frame).key("seconds").value(distance.seconds);
  append_pair(json, at.nearest, distance.avatar, link, object, /*triangle=*/true);
  // Of links with shapes only.
  if (at.link_feature) json.key("link_triangle").value(std::uint64_t{*at.link_feature});
  json.key("metres").value(at.distance);
  json.key("point").array(at.point).key("own_point").array(at.own);
  if (at.inside) json.key("inside").value(true);
  json.close('}');
  return out;
}

std::string nearest_line(const NearestToLink& nearest, std::string_view link,
                         std::string_view thing) {
  std::string out;
  JsonLine json(out);
  json.open('{').key("type").value(std::string_view("nearest"));
  if (nearest.thing) {
    append_pair(json, *nearest.thing, nearest.avatar, link, thing, /*triangle=*/false);
  } else {
    json.key("avatar").value(nearest.avatar).key("link").value(link);
  }
  json.key("step").value(nearest.step).key("frames").array(nearest.frames);
  json.key("seconds").value(nearest.seconds);
  json.key("clearance").value(nearest.clearance);
  if (nearest.metres) json.key("metres").value(*nearest.metres);
  json.close('}');
  return out;
}

}  // namespace tocsin::io
