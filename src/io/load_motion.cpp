// Reads a motion file and hands it to the parser of its format.
#include "io/load_motion.h"

#include <fmt/format.h>

#include <array>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "base/extension.h"
#include "base/text_file.h"
#include "io/acclaim/amc.h"
#include "io/acclaim/asf.h"
#include "io/bvh/bvh.h"
#include "io/import/skinned_motion.h"
#include "io/motion_unit.h"
#include "io/poses/poses.h"
#include "io/robot/plan.h"
#include "io/robot/urdf.h"
#include "tocsin/io.h"

namespace tocsin::io {
namespace {

enum class Format : std::uint8_t { kBvh, kAmc, kAsf, kSkinned, kPoses, kPlan, kUnknown };

Format format_of(const std::filesystem::path& file) {
  struct Ending {
    const char* text;
    Format format;
  };
  constexpr std::array<Ending, 8> kEndings{{{".bvh", Format::kBvh},
                                            {".amc", Format::kAmc},
                                            {".asf", Format::kAsf},
                                            {".glb", Format::kSkinned},
                                            {".gltf", Format::kSkinned},
                                            {".fbx", Format::kSkinned},
                                            {".poses", Format::kPoses},
                                            {".csv", Format::kPlan}}};
  const std::string extension = base::lower_extension(file);
  for (const Ending& ending : kEndings) {
    if (extension == ending.text) return ending.format;
  }
  return Format::kUnknown;
}

/// Refuses options that have no meaning for a format.
Status check_options(const std::string& file, Format format, const MotionOptions& options) {
  const auto refuse = [&](const char* option, const char* what, const char* formats) {
    return Error{ErrorCode::kUsage, fmt::format("{}: {} names {}, which only {} files have", file,
                                                option, what, formats)};
  };
  if (options.skeleton && format != Format::kAmc && format != Format::kPlan) {
    return refuse("--skeleton", "a skeleton file", ".amc and .csv");
  }
  const bool has_rate =
      format == Format::kBvh || format == Format::kPoses || format == Format::kPlan;
  if (options.rate && has_rate) {
    return {ErrorCode::kUsage,
            fmt::format("{}: --rate is for files without a rate; a {} says its own", file,
                        format == Format::kBvh     ? ".bvh"
                        : format == Format::kPoses ? ".poses"
                                                   : ".csv")};
  }
  if (format == Format::kPlan && options.unit_metres.value_or(1.0) != 1.0) {
    return {ErrorCode::kUsage,
            fmt::format("{}: --motion-unit: a plan is in radians and metres", file)};
  }
  // A report of a .poses file names its unit and axis, too, so these values are accepted.
  const bool own_units = options.unit_metres.value_or(1.0) == 1.0 && options.up == UpAxis::kY;
  if (format == Format::kPoses && !own_units) {
    return {ErrorCode::kUsage,
            fmt::format("{}: {}: a .poses is in metres, Y up", file,
                        options.up == UpAxis::kY ? "--motion-unit" : "--motion-up")};
  }
  if (!options.clip.empty() && format != Format::kSkinned) {
    return refuse("--clip", "an animation", ".glb, .gltf and .fbx");
  }
  if (!options.skin.empty() && format != Format::kSkinned) {
    return refuse("--skin", "one of several skeletons", ".glb, .gltf and .fbx");
  }
  return Nothing{};
}

/// Possible names of the .asf beside an .amc: that of the .amc, or the part before its first '_'.
std::vector<std::filesystem::path> skeleton_names(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  std::vector<std::filesystem::path> out{file.parent_path() / (stem + ".asf")};
  if (const std::size_t end = stem.find('_'); end != std::string::npos && end > 0) {
    out.push_back(file.parent_path() / (stem.substr(0, end) + ".asf"));
  }
  return out;
}

/// The first of them that exists, with its ending in any case of letters; an empty path if there is
/// none.
std::filesystem::path first_there(const std::vector<std::filesystem::path>& names) {
  for (std::filesystem::path beside : names) {
    for (const char* const ending :
         {".asf", ".ASF", ".Asf", ".aSf", ".asF", ".ASf", ".AsF", ".aSF"}) {
      beside.replace_extension(ending);
      std::error_code ignored;
      if (std::filesystem::exists(beside, ignored)) return beside;
    }
  }
  return {};
}

/// A motion of a file that says no unit. The rest height of a person who stands there tells it;
/// else the frames may. `parse(options, unit)`: `unit`, unless it is null, is the unit.
template <class Parse>
Result<Motion> with_found_unit(const std::string& name, const MotionOptions& options,
                               const Parse& parse) {
  Result<Motion> motion = parse(options, nullptr);
  if (options.unit_metres || (!motion.ok() && motion.error().code != ErrorCode::kInput)) {
    return motion;
  }
  if (motion.ok() && rest_height_tells(*motion)) return motion;
  MotionOptions as_written = options;
  as_written.unit_metres = 1.0;
  const Result<Motion> in_units = parse(as_written, nullptr);
  if (!in_units.ok()) return motion.ok() ? in_units : motion;  // it was not the unit
  const Result<UnitChoice> unit = unit_of_motion(*in_units);
  if (unit.ok()) return parse(options, &*unit);
  return {unit.error().code, fmt::format("{}: {}", name, unit.error().message)};
}

Result<Motion> load_amc(const std::filesystem::path& file, const MotionOptions& options,
                        InputLog* log) {
  const Result<std::string> text = read_text_input(file, "motion", log);
  if (!text.ok()) return text.error();
  const std::vector<std::filesystem::path> names = skeleton_names(file);
  const std::filesystem::path skeleton = options.skeleton ? *options.skeleton : first_there(names);
  if (skeleton.empty()) {
    return {ErrorCode::kInput,
            fmt::format("{}: its skeleton is not beside it, there is no {}{}; name the .asf with "
                        "--skeleton FILE",
                        file.string(), names.front().string(),
                        names.size() > 1 ? " and no " + names.back().string() : "")};
  }
  const Result<std::string> skeleton_text = read_text_input(skeleton, "skeleton", log);
  if (!skeleton_text.ok()) return skeleton_text.error();
  const Result<AsfSkeleton> asf = parse_asf(*skeleton_text, skeleton.string());
  if (!asf.ok()) return asf.error();
  const auto parse = [&](const MotionOptions& how, const UnitChoice* unit) {
    return parse_amc(*text, file.string(), *asf, how, unit);
  };
  if (asf->length_unit) return parse(options, nullptr);
  return with_found_unit(skeleton.string(), options, parse);
}

Result<Motion> load_plan(const std::filesystem::path& file, const MotionOptions& options,
                         InputLog* log) {
  if (!options.skeleton || !is_urdf(*options.skeleton)) {
    return {ErrorCode::kInput,
            fmt::format("{}: a .csv is a plan of a robot's joints; name the robot's .urdf with "
                        "--avatar or --skeleton",
                        file.string())};
  }
  const Result<std::string> text = read_text_input(file, "motion", log);
  if (!text.ok()) return text.error();
  const Result<Robot> robot = read_robot(*options.skeleton, "skeleton", log);
  if (!robot.ok()) return robot.error();
  return parse_plan(*text, file.string(), *robot, options.up);
}

Result<Motion> load_take(const std::filesystem::path& file, const MotionOptions& options,
                         InputLog* log) {
  const std::string name = file.string();
  const Format format = format_of(file);
  if (format == Format::kUnknown) {
    return {ErrorCode::kInput,
            fmt::format("{}: not a known kind of motion; Tocsin reads .bvh, .amc (with its .asf), "
                        ".glb, .gltf, .fbx, .poses and .csv (with a robot's .urdf)",
                        name)};
  }
  if (format == Format::kAsf) {
    return {ErrorCode::kInput,
            fmt::format("{}: a skeleton without motion; give the .amc, and this with --skeleton",
                        name)};
  }
  if (Status status = check_options(name, format, options); !status.ok()) return status.error();
  if (format == Format::kAmc) return load_amc(file, options, log);
  if (format == Format::kPlan) return load_plan(file, options, log);
  if (format == Format::kSkinned) return read_skinned_motion(file, options, log);
  const Result<std::string> text = read_text_input(file, "motion", log);
  if (!text.ok()) return text.error();
  if (format == Format::kPoses) return parse_poses(*text, name);
  return with_found_unit(name, options, [&](const MotionOptions& how, const UnitChoice* unit) {
    return parse_bvh(*text, name, how, unit);
  });
}

}  // namespace

Result<Motion> load_motion(const std::filesystem::path& file, const MotionOptions& options,
                           InputLog* log) {
  const Error no_memory{ErrorCode::kResource, fmt::format("{}: not enough memory", file.string())};
  try {
    return load_take(file, options, log);
  } catch (const std::bad_alloc&) {
    return no_memory;
  } catch (const std::length_error&) {  // a container that would be larger than memory can be
    return no_memory;
  }
}

}  // namespace tocsin::io

namespace tocsin {

Result<Motion> load_motion(const std::filesystem::path& file, const MotionOptions& options) {
  return io::load_motion(file, options, nullptr);
}

}  // namespace tocsin
