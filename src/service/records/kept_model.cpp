#include "service/records/kept_model.h"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/avatar/avatar_json.h"

namespace tocsin::service {
namespace {

namespace fs = std::filesystem;

AvatarModel without_idle_names(AvatarModel model) {
  std::set<std::string_view> used;
  for (const LinkModel& link : model.links) {
    used.insert({link.joint, link.a.joint, link.b.joint, link.a.beyond, link.b.beyond});
  }
  const auto is_idle = [&used](const auto& names) { return used.count(names.first) == 0; };
  std::erase_if(model.aliases, is_idle);
  for (NamingScheme& scheme : model.schemes) std::erase_if(scheme.joints, is_idle);
  return model;
}

/// The shapes that the server has, by the files that it keeps, which `meshes` gets.
std::map<std::size_t, std::string> texts_of(std::span<const LoadedShape> shapes,
                                            std::span<const RoomFile> files, const fs::path& folder,
                                            std::vector<io::InputRecord>& meshes) {
  std::map<std::size_t, std::string> out;
  std::set<std::string> known;
  std::map<std::size_t, std::size_t> order;  // a reader meets them in the order of links
  for (std::size_t i = 0; i < shapes.size(); ++i) order.emplace(shapes[i].link, i);
  for (const auto& [link, i] : order) {
    if (i >= files.size() || files[i].stored.empty()) continue;
    const LoadedShape& shape = shapes[i];
    const std::string mesh = input_name(files[i], folder);
    out.emplace(link, io::mesh_shape_text(mesh, shape.convex, shape.at, shape.radius));
    if (known.insert(mesh).second) meshes.push_back({"mesh", mesh, files[i].sha256});
  }
  return out;
}

}  // namespace

std::string input_name(const RoomFile& file, const fs::path& folder) {
  if (file.stored.empty()) return file.shown;
  std::error_code error;
  const fs::path whole = fs::absolute(file.stored, error).lexically_normal();
  const fs::path inside = whole.lexically_relative(fs::absolute(folder, error).lexically_normal());
  const bool is_inside = !inside.empty() && *inside.begin() != "..";
  return (is_inside ? inside : whole).string();
}

Result<RecordedModel> record_model(const AvatarModel& model, std::span<const LoadedShape> shapes,
                                   const KeptModel& kept, const fs::path& folder,
                                   const std::string& display_name) {
  if (kept.past) return *kept.past;
  const AvatarModel written = without_idle_names(model);
  // The format has limits that binding does not have. Report them now, not when the record is read.
  const auto sound = io::as_in_a_file(written, display_name);
  if (!sound.ok()) {
    return {ErrorCode::kInput,
            fmt::format("the avatar model cannot be recorded: {}", sound.error().message)};
  }
  RecordedModel out;
  out.text = io::avatar_model_text(written, texts_of(shapes, kept.shapes, folder, out.meshes));
  return out;
}

}  // namespace tocsin::service
