#include "support/net/hostile_visits.h"

#include <cstdint>
#include <limits>
#include <random>
#include <utility>

#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"
#include "wire/values.h"

namespace tocsin::test {
namespace {

/// Seconds that a server may take to answer nonsense.
constexpr double kVisitPatience = 60.0;
/// And to build a room.
constexpr double kBuildPatience = 120.0;

TrackOptions sound_options(const std::string& room) {
  TrackOptions out;
  out.environment = room;
  out.skeleton =
      Skeleton::create({{"root", -1, {{}, {0, 1, 0}}}, {"tip", 0, {{}, {0, 0.3, 0}}}}).value();
  return out;
}

v1::TrackRequest open_message(const std::string& room) {
  v1::TrackRequest out;
  wire::to_wire(sound_options(room), *out.mutable_open());
  return out;
}

v1::TrackRequest frames_message(std::uint64_t id, int count) {
  const wire::PoseCodec codec(sound_options("").skeleton);
  v1::TrackRequest out;
  for (int i = 0; i < count; ++i, ++id) {
    const double time = static_cast<double>(id) / 100.0;
    const Vec3 at{static_cast<double>(id % 100) / 100.0, 1.0, 0.0};
    codec.to_wire({id, time, {{{}, at}, {{}, {0, 0.3, 0}}}}, *out.mutable_frames()->add_frames());
  }
  return out;
}

std::string random_bytes(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string out(count, '\0');
  for (char& c : out) c = static_cast<char>(random());
  return out;
}

RawEnd say(const std::string& address, const std::string& bytes) {
  RawSocket socket(address);
  socket.send(bytes);
  RawEnd out;
  out.bytes = socket.receive(kVisitPatience);
  out.hung_up = socket.hung_up();
  return out;
}

RawEnd call_with(const std::string& address, std::string_view path, const std::string& bytes) {
  RawCall call(address, path);
  call.send(bytes);
  return call.end(kVisitPatience);
}

/// A visit whose stream begins with this message.
HostileVisit first(std::string name, const v1::TrackRequest& message, int status,
                   std::string phrase) {
  const std::string bytes = grpc_message(message.SerializeAsString());
  return {std::move(name),
          [bytes](const std::string& address) { return call_with(address, kTrackPath, bytes); },
          status, std::move(phrase)};
}

template <class Spoil>
HostileVisit spoilt_open(const std::string& room, std::string name, std::string phrase,
                         const Spoil& spoil, int status = kInvalidArgument) {
  v1::TrackRequest message = open_message(room);
  spoil(*message.mutable_open());
  return first(std::move(name), message, status, std::move(phrase));
}

/// A sound session, two sound frames, and then this message.
HostileVisit later(const std::string& room, std::string name, const v1::TrackRequest& message,
                   std::string phrase) {
  const std::string bytes = grpc_message(sound_open(room)) + grpc_message(sound_frames(1, 2)) +
                            grpc_message(message.SerializeAsString());
  return {std::move(name),
          [bytes](const std::string& address) { return call_with(address, kTrackPath, bytes); },
          kInvalidArgument, std::move(phrase)};
}

template <class Spoil>
HostileVisit spoilt_frames(const std::string& room, std::string name, std::string phrase,
                           const Spoil& spoil, int count) {
  v1::TrackRequest message = frames_message(7, count);
  for (v1::Frame& frame : *message.mutable_frames()->mutable_frames()) spoil(frame);
  return later(room, std::move(name), message, std::move(phrase));
}

void add_links(v1::Open& open, int count) {
  open.mutable_inline_model()->set_name("many");
  for (int i = 0; i < count; ++i) {
    v1::Link& link = *open.mutable_inline_model()->add_links();
    link.set_name("l" + std::to_string(i));
    link.set_joint("root");
    link.set_radius(0.01);
  }
}

/// An OBJ of so many triangles, each an object of this name and its number.
std::string room_of(int objects, const std::string& name) {
  std::string out;
  for (int i = 0; i < objects; ++i) {
    const std::string x = std::to_string(i);
    out += "o " + name + x + "\nv " + x + " 0 0\nv " + x + " 1 0\nv " + x + " 0 1\n";
    out += "f -1 -2 -3\n";
  }
  return out;
}

std::string room_upload(const std::string& name, const std::string& bytes) {
  v1::LoadEnvironmentRequest begin;
  begin.mutable_begin()->set_name(name);
  begin.mutable_begin()->set_file_name("room.obj");
  v1::LoadEnvironmentRequest chunk;
  chunk.set_chunk(bytes);
  return grpc_message(begin.SerializeAsString()) + grpc_message(chunk.SerializeAsString());
}

RawEnd load_room(const std::string& address, const std::string& upload) {
  RawCall call(address, "/tocsin.v1.CollisionService/LoadEnvironment");
  call.send(upload, true);
  return call.end(kBuildPatience);
}

void unload_room(const std::string& address, const std::string& name) {
  v1::UnloadEnvironmentRequest request;
  request.set_name(name);
  RawCall call(address, "/tocsin.v1.CollisionService/UnloadEnvironment");
  call.send(grpc_message(request.SerializeAsString()), true);
  call.end(kVisitPatience);
}

}  // namespace

std::string sound_open(const std::string& room) { return open_message(room).SerializeAsString(); }

std::string sound_frames(std::uint64_t id, int count) {
  return frames_message(id, count).SerializeAsString();
}

std::vector<HostileVisit> visits_without_grpc() {
  std::vector<HostileVisit> out;
  const auto add = [&](std::string name, std::string bytes) {
    out.push_back({std::move(name),
                   [bytes = std::move(bytes)](const std::string& a) { return say(a, bytes); }});
  };
  add("random bytes", random_bytes(4096, 1));
  add("zeros", std::string(4096, '\0'));
  add("HTTP/1", "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n");
  add("HTTP/1 that posts",
      "POST /tocsin.v1.CollisionService/Track HTTP/1.1\r\nHost: "
      "localhost\r\nContent-Length: 1000000\r\n\r\n");
  // A ClientHello of TLS 1.2, as far as a server would have to read to see what it is.
  add("TLS on a plain port", std::string("\x16\x03\x01\x00\x75\x01\x00\x00\x71\x03\x03", 11) +
                                 random_bytes(32, 2) + std::string(74, '\0'));
  add("garbage after the preface", std::string(kPreface) + random_bytes(4096, 3));
  add("a frame of 16 MiB", std::string(kPreface) + http2_setting(4, 65'535) +
                               std::string("\xFF\xFF\xFF\x00\x00\x00\x00\x00\x01", 9) +
                               random_bytes(65'536, 4));
  add("a window beyond 2^31", std::string(kPreface) + http2_setting(4, 0xFFFF'FFFFU));
  return out;
}

std::vector<HostileVisit> visits_of_bad_messages() {
  std::vector<HostileVisit> out;
  const auto add = [&](std::string name, std::string_view path, std::string bytes, int status,
                       std::string phrase) {
    out.push_back({std::move(name),
                   [path, bytes = std::move(bytes)](const std::string& address) {
                     return call_with(address, path, bytes);
                   },
                   status, std::move(phrase)});
  };
  add("no such method", "/tocsin.v1.CollisionService/Destroy", "", kUnimplemented, "");
  add("garbage for a message", kTrackPath, grpc_message(random_bytes(1000, 5)), kInvalidArgument,
      "");
  add("half a message, well announced", kTrackPath, grpc_message(sound_open("music").substr(0, 20)),
      kInvalidArgument, "");
  out.push_back({"4 GiB announced, and that was all",
                 [](const std::string& address) {
                   RawCall call(address, kTrackPath);
                   call.send(grpc_message("x", 0, 0xFFFF'FFFFU), true);
                   return call.end(kVisitPatience);
                 },
                 kInvalidArgument, ""});
  add("5 MiB sent", kTrackPath, grpc_message(std::string(5U << 20U, '\0')), kResourceExhausted, "");
  return out;
}

std::vector<HostileVisit> visits_of_bad_sessions(const std::string& room) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  std::vector<HostileVisit> out;
  out.push_back(first("an empty message", {}, kInvalidArgument, ""));
  out.push_back(first("frames first", frames_message(1, 1), kInvalidArgument, ""));
  v1::TrackRequest resume;
  resume.mutable_resume()->set_session_id(std::string(32, 'a'));
  out.push_back(first("a session that is not", resume, kNotFound, ""));
  resume.mutable_resume()->set_session_id("../../etc/passwd");
  out.push_back(first("an id that is a path", resume, kNotFound, ""));
  resume.mutable_resume()->set_session_id(std::string(1U << 20U, 'a'));
  out.push_back(first("an id of 1 MiB", resume, kNotFound, ""));
  out.push_back(first("a room that is not", open_message("nowhere"), kNotFound, "nowhere"));

  const auto add = [&](std::string name, std::string phrase, const auto& spoil,
                       int status = kInvalidArgument) {
    out.push_back(spoilt_open(room, std::move(name), std::move(phrase), spoil, status));
  };
  add("no skeleton", "skeleton", [](v1::Open& o) { o.clear_skeleton(); });
  add("a parent after its child", "does not come before",
      [](v1::Open& o) { o.mutable_skeleton()->mutable_joints(0)->set_parent(1); });
  add("20,000 joints", "20000 joints", [](v1::Open& o) {
    for (int i = 2; i < 20'000; ++i) o.mutable_skeleton()->add_joints();
  });
  add("20,000 links", "20000 links", [](v1::Open& o) {
    for (int i = 0; i < 20'000; ++i) o.mutable_inline_model()->add_links();
  });
  add(
      "more links than anybody may have", "links", [](v1::Open& o) { add_links(o, 2000); },
      kResourceExhausted);
  add("a model that is a file", "/etc/passwd", [](v1::Open& o) { o.set_model("/etc/passwd"); });
  add("a model of a path", "humanoid16.json",
      [](v1::Open& o) { o.set_model("../avatar_models/humanoid16.json"); });
  add("a radius that is none", "radius_factor", [](v1::Open& o) { o.set_radius_factor(kNan); });
  add("a place that is none", "place", [](v1::Open& o) { o.mutable_place()->set_x(kNan); });
  add("a pattern without a colon", "':'", [](v1::Open& o) { o.add_ignore("nothing"); });
  add("20,000 patterns", "patterns", [](v1::Open& o) {
    for (int i = 0; i < 20'000; ++i) o.add_ignore("*");
  });
  add("time that runs backwards", "frame_seconds", [](v1::Open& o) { o.set_frame_seconds(-1); });
  add("a margin beyond the world", "margin", [](v1::Open& o) { o.set_margin(1e9); });
  return out;
}

std::vector<HostileVisit> visits_of_bad_rooms(const std::string& crowd) {
  std::vector<HostileVisit> out;
  const std::string long_name = room_upload("long", room_of(1, std::string(1'000'000, 'n')));
  out.push_back({"an object's name of 1 MB",
                 [long_name](const std::string& address) { return load_room(address, long_name); },
                 kInvalidArgument, "name has 10000"});
  const std::string objects = room_upload(crowd, room_of(10'000, std::string(60, 'a')));
  const auto in_the_crowd = [&](std::string name, std::string phrase, const auto& spoil) {
    v1::TrackRequest message = open_message(crowd);
    spoil(*message.mutable_open());
    const std::string open = grpc_message(message.SerializeAsString());
    out.push_back({std::move(name),
                   [objects, open, crowd](const std::string& address) {
                     RawEnd loaded = load_room(address, objects);
                     if (loaded.status.value_or(-1) != 0) return loaded;
                     RawEnd end = call_with(address, kTrackPath, open);
                     unload_room(address, crowd);
                     return end;
                   },
                   kResourceExhausted, std::move(phrase)});
  };
  in_the_crowd("1,024 links among 10,000 objects", "pairs",
               [](v1::Open& o) { add_links(o, 1024); });
  in_the_crowd("256 patterns that try everything", "ignore", [](v1::Open& o) {
    for (int i = 0; i < 256; ++i) o.add_ignore("*:*[a]*[a]*[a]b");
  });
  return out;
}

std::vector<HostileVisit> visits_of_bad_frames(const std::string& room) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<HostileVisit> out;
  const auto add = [&](std::string name, std::string phrase, const auto& spoil) {
    out.push_back(spoilt_frames(room, std::move(name), std::move(phrase), spoil, 1));
  };
  // One is passed over, so many in a row are not.
  const auto add_row = [&](std::string name, const std::string& what, const auto& spoil) {
    out.push_back(spoilt_frames(room, std::move(name),
                                "300 frames in a row cannot be used. The first: frame 7: " + what,
                                spoil, 300));
  };
  const auto rotation = [](int i, double v) {
    return [i, v](v1::Frame& f) { f.mutable_pose()->set_rotations(i, v); };
  };
  const auto translation = [](int i, double v) {
    return [i, v](v1::Frame& f) { f.mutable_pose()->set_translations(i, v); };
  };
  add_row("NaN for a rotation", "joint \"tip\"", rotation(5, kNan));
  add_row("infinity for a rotation", "joint \"root\"", rotation(0, kInfinity));
  add_row("NaN for a place", "joint \"root\"", translation(1, kNan));
  add_row("a quaternion of length 2", "joint \"root\"", rotation(0, 2.0));
  add_row("a quaternion of length 0", "joint \"tip\"", rotation(4, 0.0));
  add_row("a place out of the world", "joint \"root\"", translation(0, 1e300));
  add("too few numbers", "frame 7",
      [](v1::Frame& f) { f.mutable_pose()->mutable_rotations()->RemoveLast(); });
  add("no pose", "frame 7", [](v1::Frame& f) { f.clear_pose(); });
  add("10^5 numbers", "frame 7",
      [](v1::Frame& f) { f.mutable_pose()->mutable_rotations()->Resize(100'000, 1.0); });
  add("an id beyond 2^53", "2^53", [](v1::Frame& f) { f.set_id(1ULL << 53U); });
  add_row("a time that is none", "its capture time",
          [](v1::Frame& f) { f.set_capture_time(kNan); });
  add("time that runs backwards", "frame 7", [](v1::Frame& f) { f.set_capture_time(-1e6); });
  v1::TrackRequest far = open_message(room);
  far.mutable_open()->mutable_place()->set_x(1e300);
  const std::string walk_far =
      grpc_message(far.SerializeAsString()) + grpc_message(sound_frames(1, 2));
  out.push_back({"a walk out of the world",
                 [walk_far](const std::string& a) { return call_with(a, kTrackPath, walk_far); },
                 kInvalidArgument, "place"});
  out.push_back(later(room, "a second opening", open_message(room), ""));
  out.push_back(later(room, "an empty message", {}, ""));
  return out;
}

}  // namespace tocsin::test
