#include "io/ply/write_ply.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/output_file.h"
#include "base/packed.h"
#include "io/ply/ply_objects.h"
#include "io/room_limits.h"

namespace tocsin::io {
namespace {

std::string header_of(const Environment& environment) {
  std::string out = "ply\nformat binary_little_endian 1.0\ncomment metres, Y up\n";
  for (const Object& object : environment.objects()) out += ply_object_comment(object);
  out += fmt::format(
      "element vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
      environment.vertices().size(), environment.triangles().size());
  return out;
}

bool write_body(const Environment& environment, base::OutputFile& output) {
  const auto sink = [&](std::string_view bytes) { return output.write(bytes); };
  const auto put_vertex = [](char* to, const Vec3f& v) {
    return base::put_packed(base::put_packed(base::put_packed(to, v.x), v.y), v.z);
  };
  const auto put_triangle = [](char* to, const TriangleIndices& t) {
    *to++ = 3;
    return base::put_packed(base::put_packed(base::put_packed(to, t[0]), t[1]), t[2]);
  };
  return base::write_packed<12>(environment.vertices(), put_vertex, sink) &&
         base::write_packed<13>(environment.triangles(), put_triangle, sink);
}

}  // namespace

Status write_ply(const Environment& environment, const std::filesystem::path& file) {
  std::string fault = room_fault(environment, {});
  if (environment.vertices().size() > std::numeric_limits<std::int32_t>::max()) {
    fault = "more vertices than a signed 32-bit number can count";
  }
  if (!fault.empty()) return {ErrorCode::kInput, fmt::format("{}: {}", file.string(), fault)};
  base::OutputFile output;
  if (Status opened = output.open(file.string()); !opened) return opened;
  if (!output.write(header_of(environment)) || !write_body(environment, output)) {
    return output.error();
  }
  return output.finish();
}

}  // namespace tocsin::io
