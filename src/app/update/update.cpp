#include "app/update/update.h"

#include <fmt/format.h>

#include <utility>

#include "app/cli/words.h"
#include "app/send/send_connect.h"
#include "app/send/send_shapes.h"
#include "base/json_text.h"
#include "base/output_file.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

constexpr const char* kUpdateCommand = "tocsin update";

/// All objects of a file as one mesh.
Status read_file_of(const UpdateEdit& asked, SceneEdit& out) {
  if (asked.file.empty()) return Nothing{};
  const auto room = load_environment(asked.file);
  if (!room) return room.error();
  if (out.verb == SceneVerb::kDeform) {
    out.vertices.assign(room->vertices().begin(), room->vertices().end());
    return Nothing{};
  }
  std::vector<Vec3> corners;
  for (const Vec3f& v : room->vertices()) corners.push_back({v.x, v.y, v.z});
  auto shape =
      Shape::mesh(std::move(corners), {room->triangles().begin(), room->triangles().end()});
  if (!shape) return Error{shape.error().code, asked.file + ": " + shape.error().message};
  out.shape = std::move(shape).value();
  return Nothing{};
}

std::string line_of(const EnvironmentInfo& room) {
  return fmt::format("{}: version {}, {}, {} triangles, {}\n", base::printable(room.name),
                     room.version, count_of(static_cast<std::int64_t>(room.objects), "object"),
                     grouped(static_cast<std::int64_t>(room.triangles)),
                     count_of(static_cast<std::int64_t>(room.sessions), "session"));
}

Result<std::string> update(const UpdateOptions& options) {
  std::vector<SceneEdit> edits;
  for (const UpdateEdit& asked : options.edits) {
    edits.push_back(asked.edit);
    if (Status read = read_file_of(asked, edits.back()); !read) return read.error();
  }
  SendOptions how;
  how.connection = options.connection;
  how.token_file = options.token_file;
  std::vector<Connection> server;
  if (Status connected = connect(how, server); !connected) return connected.error();
  std::string out;
  if (!options.upload.empty()) {
    auto room = server.front().upload_environment(options.room, options.upload, {},
                                                  {.changeable = true, .shared = options.shared});
    if (!room) return with_hint(room.error(), how);
    if (edits.empty()) out += line_of(*room);
  }
  if (!edits.empty()) {
    SentShapes shapes(server.front());
    if (Status sent = shapes.upload(edits); !sent) return with_hint(sent.error(), how);
    auto room = server.front().update_environment(options.room, edits, options.expected);
    if (!room) return with_hint(room.error(), how);
    out += line_of(*room);
  }
  if (options.unload) {
    auto room = server.front().unload_environment(options.room);
    if (!room) return with_hint(room.error(), how);
    out += fmt::format("{}: unloaded; {} in it\n", base::printable(options.room),
                       count_of(static_cast<std::int64_t>(room->sessions), "session"));
  }
  return out;
}

}  // namespace

ExitStatus run_update(const UpdateOptions& options) {
  silence_grpc();
  const auto text = update(options);
  Status shown = Nothing{};
  if (text) shown = base::write_to_standard_output(*text);
  if (text && shown) return kDone;
  const Error& error = text ? shown.error() : text.error();
  print_error(kUpdateCommand, error.message);
  return exit_status(error.code);
}

}  // namespace tocsin::app
