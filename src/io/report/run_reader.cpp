// What a report's reader and a record's share: the run line.
#include "io/report/run_reader.h"

#include <algorithm>

#include "base/json_text.h"
#include "io/report/option_names.h"

namespace tocsin::io {
namespace {

using namespace fields;

std::vector<InputRecord> read_inputs(const OrderedJson& json) {
  std::vector<InputRecord> out;
  for (const OrderedJson& input : list_in(json, "inputs")) {
    if (!input.is_object()) refuse_type("inputs", "an array of objects");
    out.push_back({text_in(input, "role"), text_in(input, "file"), text_in(input, "sha256")});
    if (input.contains("file_bytes")) out.back().file = bytes_in(input, "file_bytes");
  }
  return out;
}

/// What a take's avatar holds.
std::vector<HeldMesh> read_held(const OrderedJson& json) {
  std::vector<HeldMesh> out;
  for (const OrderedJson& one : list_in(json, "hold")) {
    if (!one.is_object()) refuse_type("hold", "an array of objects");
    HeldMesh held{text_in(one, "joint"), text_in(one, "mesh"), {}};
    const OrderedJson& v = list_of(one, "translation", 3);
    const OrderedJson& q = list_of(one, "rotation", 4);
    const auto at = [](const OrderedJson& of, std::size_t i) { return to_number(of[i], "hold"); };
    held.place.translation = {at(v, 0), at(v, 1), at(v, 2)};
    held.place.rotation = {at(q, 0), at(q, 1), at(q, 2), at(q, 3)};
    out.push_back(std::move(held));
  }
  return out;
}

std::vector<BodySpec> read_bodies(const OrderedJson& json) {
  std::vector<BodySpec> out;
  for (const OrderedJson& one : list_in(json, "bodies")) {
    if (!one.is_object()) refuse_type("bodies", "an array of objects");
    out.push_back({text_in(one, "name"), text_in(one, "mesh"), {}});
    if (!field(one, "motion").is_null()) out.back().motion = text_in(one, "motion");
  }
  return out;
}

Take read_take(const OrderedJson& json) {
  Take o;
  o.avatar.model = text_in(json, "avatar");
  o.reading.unit_metres = number_in(json, "motion_unit");
  if (!field(json, "skeleton").is_null()) o.reading.skeleton = text_in(json, "skeleton");
  if (!field(json, "rate").is_null()) o.reading.rate = number_in(json, "rate");
  // Reports of version 0.1 do not have these three.
  if (json.contains("clip") && !json["clip"].is_null()) o.reading.clip = text_in(json, "clip");
  if (json.contains("skin") && !json["skin"].is_null()) o.reading.skin = text_in(json, "skin");
  if (json.contains("scale_radii")) o.avatar.radii.factor = number_in(json, "scale_radii");
  o.reading.up = named_in<UpAxis>(json, "motion_up");
  const OrderedJson& place = list_of(json, "place", 4);
  const auto at = [&place](std::size_t i) { return to_number(place[i], "place"); };
  o.avatar.place = {{at(0), at(1), at(2)}, at(3)};
  const OrderedJson& frames = list_of(json, "frames", 3);
  const auto frame = [&frames](std::size_t i) { return to_count(frames[i], "frames"); };
  o.frames = {frame(0), frame(1), frame(2)};
  if (json.contains("start")) o.start = number_in(json, "start");
  if (json.contains("hold")) o.avatar.hold = read_held(json);
  return o;
}

/// What each of several takes has of its own, as the options of one take.
std::vector<OrderedJson> options_by_take(const OrderedJson& json, std::size_t takes) {
  std::vector<OrderedJson> out(takes, OrderedJson::object());
  for (const std::string_view name : {"avatar", "motion_unit", "skeleton", "rate", "clip", "skin",
                                      "scale_radii", "motion_up", "place", "frames", "start"}) {
    const OrderedJson& values = list_of(json, name, takes);
    for (std::size_t i = 0; i < takes; ++i) out[i][std::string(name)] = values[i];
  }
  if (!json.contains("hold")) return out;
  const OrderedJson& held = list_of(json, "hold", takes);
  for (std::size_t i = 0; i < takes; ++i) out[i]["hold"] = held[i];
  return out;
}

/// One take: plain values. Several: a list each, of which "avatar" says how many.
void read_takes(const OrderedJson& json, CheckOptions& o) {
  const OrderedJson& avatar = field(json, "avatar");
  if (!avatar.is_array()) {
    o.takes = {read_take(json)};
    return;
  }
  if (avatar.size() < 2) refuse_type("avatar", "a string or an array of several");
  o.takes.clear();
  for (const OrderedJson& take : options_by_take(json, avatar.size())) {
    o.takes.push_back(read_take(take));
  }
}

CheckOptions read_options(const OrderedJson& json) {
  if (!json.is_object()) refuse_type("options", "an object");
  CheckOptions o;
  read_takes(json, o);
  if (json.contains("bodies")) o.spec.bodies = read_bodies(json);
  if (o.several()) o.absent = named_in<Absence>(json, "absent");
  o.room.up = named_in<UpAxis>(json, "env_up");
  o.room.scale = number_in(json, "env_scale");
  o.spec.in_between = named_in<InBetween>(json, "in_between");
  o.spec.margin = number_in(json, "margin");
  o.spec.ignore = texts_in(json, "ignore");
  o.spec.contacts = named_in<Contacts>(json, "contacts");
  o.spec.clearance = flag_in(json, "clearance");
  o.sampled = flag_in(json, "sampled");
  o.spec.tolerance = number_in(json, "tolerance");
  o.backend = named_in<Backend>(json, "backend");
  // Reports of version 0.1 know no OpenGL.
  if (json.contains("certify")) o.experiments.certify = flag_in(json, "certify");
  if (json.contains("gl_size")) {
    const OrderedJson& size = list_of(json, "gl_size", 2);
    const auto pixels = [&size](std::size_t i) {
      return static_cast<int>(std::min<std::int64_t>(to_count(size[i], "gl_size"), 1 << 20U));
    };
    o.gl.width = pixels(0);
    o.gl.height = pixels(1);
  }
  if (json.contains("gl_method")) o.gl.method = named_in<GlMethod>(json, "gl_method");
  o.threads = static_cast<int>(std::min<std::int64_t>(count_in(json, "threads"), 1 << 20U));
  if (!field(json, "out").is_null()) o.out = text_in(json, "out");
  o.fail_on_contact = flag_in(json, "fail_on_contact");
  if (json.contains("surface")) {
    o.spec.surfaces = texts_in(json, "surface");
  } else {  // written before there were solids, or as then
    o.spec.surfaces = {"*"};
  }
  if (json.contains("near")) o.near = number_in(json, "near");
  if (json.contains("nearest")) o.nearest = number_in(json, "nearest");
  if (json.contains("self")) o.spec.self = flag_in(json, "self");
  return o;
}

std::vector<AvatarRecord> read_avatars(const OrderedJson& json) {
  std::vector<AvatarRecord> out;
  for (const OrderedJson& avatar : list_in(json, "avatars")) {
    if (!avatar.is_object()) refuse_type("avatars", "an array of objects");
    out.push_back({text_in(avatar, "motion"), text_in(avatar, "name"), texts_in(avatar, "links"),
                   count_in(avatar, "frames"), number_in(avatar, "frame_time"),
                   number_in(avatar, "unit_metres")});
  }
  return out;
}

TimeLineRecord read_time_line(const OrderedJson& json) {
  const OrderedJson& line = field(json, "time_line");
  if (!line.is_object()) refuse_type("time_line", "an object");
  return {static_cast<std::uint64_t>(count_in(line, "instants")), number_in(line, "from"),
          number_in(line, "to")};
}

}  // namespace

RunRecord read_run(const OrderedJson& json, std::string& version) {
  const std::string format = text_in(json, "format");
  if (format != "tocsin.report.v1") {
    throw Refused{
        fmt::format("format \"{}\" is not known here; this version reads tocsin.report.v1",
                    base::printable(format))};
  }
  version = text_in(json, "version");
  RunRecord run;
  run.backend = text_in(json, "backend");
  run.device = text_in(json, "device");
  if (json.contains("choice")) run.choice = text_in(json, "choice");
  run.certified = flag_in(json, "certified");
  run.inputs = read_inputs(json);
  run.options = read_options(field(json, "options"));
  run.frames = count_in(json, "frames");
  run.frame_time = number_in(json, "frame_time");
  run.unit_metres = number_in(json, "unit_metres");
  run.links = texts_in(json, "links");
  run.objects = static_cast<std::uint64_t>(count_in(json, "objects"));
  run.triangles = static_cast<std::uint64_t>(count_in(json, "triangles"));
  if (json.contains("tells")) run.tells = texts_in(json, "tells");
  if (!run.options.several()) return run;
  run.avatars = read_avatars(json);
  run.time_line = read_time_line(json);
  return run;
}

}  // namespace tocsin::io
