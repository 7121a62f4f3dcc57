// The C++ that README.md shows, as it stands there, on a take and a room that this program finds or
// makes.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

// clang-format off
// [snippet]
#include <tocsin/tocsin.h>
// [end]
// clang-format on

namespace {

void append_u32(std::string& bytes, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((value >> shift) & 0xFFU);
}

/// Writes a room as binary glTF: one rug, 20 m x 20 m, 2 cm above the floor, so that every foot is
/// in it.
void write_room(const char* file) {
  const float corners[6][3] = {{-10, 0.02F, -10}, {-10, 0.02F, 10}, {10, 0.02F, 10},
                               {-10, 0.02F, -10}, {10, 0.02F, 10},  {10, 0.02F, -10}};
  std::string json =
      R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],)"
      R"("nodes":[{"name":"Rug","mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
      R"("accessors":[{"bufferView":0,"componentType":5126,"count":6,"type":"VEC3",)"
      R"("min":[-10,0.02,-10],"max":[10,0.02,10]}],)"
      R"("bufferViews":[{"buffer":0,"byteLength":72}],"buffers":[{"byteLength":72}]})";
  json.resize((json.size() + 3) / 4 * 4, ' ');

  std::string bytes = "glTF";
  append_u32(bytes, 2);
  append_u32(bytes, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + sizeof corners));
  append_u32(bytes, static_cast<std::uint32_t>(json.size()));
  bytes += "JSON" + json;
  append_u32(bytes, sizeof corners);
  bytes += std::string_view("BIN\0", 4);
  bytes.append(reinterpret_cast<const char*>(corners), sizeof corners);
  std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace

int main() {
  const auto missing = tocsin::load_motion("no such file.bvh");
  if (missing.ok() || missing.error().message.empty()) return 1;
  write_room("house.glb");
  // clang-format off
  // [snippet]
  auto motion = tocsin::load_motion("take.bvh");                    // *, -> and value() throw if there is none
  auto avatar = tocsin::Avatar::bind(*tocsin::load_avatar_model("humanoid16"), motion->skeleton());
  auto detector = tocsin::Detector::make(*tocsin::load_environment("house.glb"));
  for (auto& step : *motion->steps()) {
    tocsin::StepReport report = detector->check(*avatar, step).value();  // report.safe_until, report.contacts
  }
  // [end]
  // clang-format on

  std::size_t steps = 0;
  std::size_t contacts = 0;
  for (auto& step : *motion->steps()) {
    const tocsin::StepReport report = detector->check(*avatar, step);
    if (report.error) return std::printf("%s\n", report.error->message.c_str()), 1;
    contacts += report.contacts.size();
    ++steps;
  }
  std::printf("%zu steps, %zu contacts, culled by %s\n", steps, contacts,
              detector->backend_name().c_str());
  return steps > 0 && contacts > 0 ? 0 : 1;
}
