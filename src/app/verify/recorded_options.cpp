// From a report's run line to the options and files of its check.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/verify/verify_report.h"
#include "base/json_text.h"
#include "base/sha256.h"
#include "io/avatar/load_avatar_model.h"
#include "io/poses/pose_tail.h"
#include "io/poses/record_head.h"
#include "io/scene/scene_mark.h"

namespace tocsin::app {
namespace {

namespace fs = std::filesystem;

Error refusal(const fs::path& report, std::string_view what) {
  return {ErrorCode::kInput, fmt::format("{}: {}", report.string(), what)};
}

/// The file of an input record, where its bytes are found now.
Result<std::string> find_input(const io::InputRecord& input, const fs::path& report) {
  std::vector<fs::path> candidates{input.file};
  if (fs::path(input.file).is_relative()) candidates.push_back(report.parent_path() / input.file);
  std::string found;
  for (const fs::path& candidate : candidates) {
    std::error_code error;
    if (!fs::exists(candidate, error)) continue;
    const auto hash = base::sha256_file(candidate);
    if (!hash) return hash.error();
    if (hash.value() == input.sha256) return candidate.string();
    if (found.empty()) {
      found = fmt::format(
          "{} {} is not the file that this report was made from: its sha256 is {}, the "
          "report says {}",
          input.role, candidate.string(), hash.value(), input.sha256);
    }
  }
  if (!found.empty()) return refusal(report, found);
  return refusal(report,
                 fmt::format("{} {} is not found, neither from the current folder nor from the "
                             "report's",
                             input.role, input.file));
}

/// The name of a model that Tocsin ships, or the file of another one.
Result<std::string> find_avatar(const io::InputRecord& input, const fs::path& report) {
  const io::EmbeddedAvatarModel* const model = io::embedded_avatar_model(input.file);
  if (model == nullptr) return find_input(input, report);
  if (io::shipped_input(*model).sha256 == input.sha256) return input.file;
  return refusal(report,
                 fmt::format("this version's avatar model {} is not the one that the report was "
                             "made with",
                             input.file));
}

/// Puts the files of meshes and of what moves them to where they are found now.
class MeshInputs {
 public:
  MeshInputs(const io::CheckOptions& recorded, io::CheckOptions& options)
      : recorded_(recorded), options_(options) {}

  /// A mesh that take i holds, of a body, or of an avatar model, whose text has its name.
  void take_mesh(std::size_t i, const io::InputRecord& input, const std::string& found) {
    const auto& held = recorded_.takes[i].avatar.hold;
    for (std::size_t k = 0; k < held.size(); ++k) {
      if (is(input, held[k].mesh)) options_.takes[i].avatar.hold[k].mesh = found;
    }
    for (std::size_t k = 0; k < recorded_.spec.bodies.size(); ++k) {
      if (is(input, recorded_.spec.bodies[k].mesh)) options_.spec.bodies[k].mesh = found;
    }
  }

  /// The motion of a body. False: of none.
  bool take_motion(const io::InputRecord& input, const std::string& found) {
    bool any = false;
    for (std::size_t k = 0; k < recorded_.spec.bodies.size(); ++k) {
      if (!is(input, recorded_.spec.bodies[k].motion)) continue;
      options_.spec.bodies[k].motion = found;
      any = true;
    }
    return any;
  }

 private:
  static bool is(const io::InputRecord& input, const std::string& name) {
    return !name.empty() && base::valid_utf8(input.file) == name;
  }

  const io::CheckOptions& recorded_;
  io::CheckOptions& options_;
};

/// The recorded options without the files, and without what belongs to the machine that ran them.
io::CheckOptions plain_options(io::CheckOptions recorded) {
  recorded.resolved = true;
  for (io::Take& take : recorded.takes) take.reading.skeleton = std::nullopt;
  recorded.tree_cache.clear();
  recorded.out = std::nullopt;
  recorded.fail_on_contact = false;
  return recorded;
}

/// The .scene file beside a record whose report is not written, or not asked. All poses say how
/// much of it is theirs: without its end, steps would be checked in a room that they did not see.
Status find_scene(const fs::path& poses, io::CheckOptions& options) {
  const fs::path scene = fs::path(poses).replace_extension(".scene");
  std::error_code error;
  if (!fs::exists(scene, error)) {
    return refusal(poses, fmt::format("{} is missing, which tells how the room changed",
                                      scene.filename().string()));
  }
  const auto skeleton = io::read_record_skeleton(poses);
  if (!skeleton) return skeleton.error();
  const auto mark = io::read_scene_mark(poses, static_cast<std::size_t>(skeleton.value().size()));
  if (!mark) return mark.error();
  if (Status same = io::check_scene_mark(scene, *mark); !same) return same.error();
  options.scene = scene.string();
  options.scene_bytes = mark->bytes;
  return Nothing{};
}

}  // namespace

Result<io::CheckOptions> recorded_options(const io::ReadReport& report, const fs::path& file) {
  const io::CheckOptions& recorded = report.run.options;
  io::CheckOptions options = plain_options(recorded);
  std::size_t motions = 0;  // every take's inputs begin with its motion
  MeshInputs meshes(recorded, options);
  if (report.unfinished) {
    options.takes.front().motion = file.string();
    motions = 1;
  }
  if (report.unfinished && report.room_changes) {
    if (Status found = find_scene(file, options); !found) return found.error();
  }
  for (const io::InputRecord& input : report.run.inputs) {
    const auto found = input.role == "avatar" ? find_avatar(input, file) : find_input(input, file);
    if (!found) return found.error();
    if (input.role == "buffer")
      continue;  // found and unchanged; the file that refers to it has its name
    if (input.role == "motion" && motions == options.takes.size() &&
        meshes.take_motion(input, found.value())) {
      continue;
    }
    if (input.role == "motion") ++motions;
    const std::size_t i = std::min(std::max<std::size_t>(motions, 1), options.takes.size()) - 1;
    io::Take& take = options.takes[i];
    if (input.role == "motion" && take.motion.empty()) {
      take.motion = found.value();
    } else if (input.role == "mesh") {
      meshes.take_mesh(i, input, found.value());
    } else if (input.role == "scene" && !options.scene) {
      options.scene = found.value();
    } else if (input.role == "environment") {
      options.environments.push_back(found.value());
    } else if (input.role == "avatar" &&
               base::valid_utf8(input.file) == recorded.takes[i].avatar.model) {
      take.avatar.model = found.value();
    } else if (input.role == "skeleton" && !take.reading.skeleton) {
      take.reading.skeleton = found.value();
    } else {
      return refusal(file,
                     fmt::format("the input {} has no place: role \"{}\"", input.file, input.role));
    }
  }
  if (motions == 0) return refusal(file, "names no motion among its inputs");
  if (motions < options.takes.size()) {
    return refusal(file, fmt::format("is about {} takes and names {} among its inputs",
                                     options.takes.size(), motions));
  }
  if (options.environments.empty()) return refusal(file, "names no environment among its inputs");
  return options;
}

Status check_inputs(const io::ReadReport& recorded, const io::InputLog& read,
                    const fs::path& file) {
  std::multiset<std::string_view> left;
  for (const io::InputRecord& input : recorded.run.inputs) left.insert(input.sha256);
  for (const io::InputRecord& input : read) {
    if (recorded.unfinished && (input.role == "motion" || input.role == "scene")) continue;
    const auto found = left.find(input.sha256);
    if (found == left.end()) {
      return refusal(file, fmt::format("{} {} is not the file that this report was made from: its "
                                       "sha256 is {} now",
                                       input.role, input.file, input.sha256));
    }
    left.erase(found);
  }
  return Nothing{};
}

}  // namespace tocsin::app
