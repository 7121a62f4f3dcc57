// `tocsin info take.bvh`
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "app/check/take_words.h"
#include "app/cli/file_kind.h"
#include "app/cli/words.h"
#include "app/info/info_avatars.h"
#include "app/info/info_clips.h"
#include "app/info/info_parts.h"
#include "base/json_text.h"
#include "core/vector/vec.h"
#include "io/bvh/bvh_hierarchy.h"
#include "io/input_files.h"
#include "io/unit.h"
#include "scene/motion/joint_places.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

using Json = nlohmann::ordered_json;

// Metres per second. A hammer thrower's hammer leaves at 30; no part of a body is faster.
constexpr double kJump = 30.0;

/// A take and what its file says beside it.
struct TakeFile {
  Motion motion;
  std::string unit_problem;    ///< empty if the unit is known; else lengths are in the file's unit
  std::int64_t channels = -1;  ///< -1: not known
  std::int64_t end_sites = 0;
};

/// The fastest joint between two successive frames.
struct Fastest {
  std::size_t joint = 0;
  std::int64_t frame = 0;  ///< the first of the two
  double speed = 0.0;      ///< lengths per second
};

struct Extent {
  Vec3 low{std::numeric_limits<double>::max(), std::numeric_limits<double>::max(),
           std::numeric_limits<double>::max()};
  Vec3 high{std::numeric_limits<double>::lowest(), std::numeric_limits<double>::lowest(),
            std::numeric_limits<double>::lowest()};
  void add(const Vec3& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
};

/// Adds what the hierarchy tells; it was read before without an error.
void read_structure(const std::string& file, TakeFile& take) {
  if (!has_extension(file, {".bvh"})) return;
  const auto text = io::read_text_input(file, "motion", nullptr);
  if (!text) return;
  base::TextScanner scanner(text.value());
  const auto hierarchy = io::read_bvh_hierarchy(scanner, file);
  if (!hierarchy) return;
  take.channels = static_cast<std::int64_t>(hierarchy->channels.size());
  std::set<std::int32_t> driven;
  for (const io::BvhChannel& channel : hierarchy->channels) driven.insert(channel.joint);
  std::set<int> parents;
  for (const Joint& joint : hierarchy->joints) parents.insert(joint.parent);
  for (std::size_t i = 0; i < hierarchy->joints.size(); ++i) {
    const int joint = static_cast<int>(i);
    const bool named_end = hierarchy->joints[i].name.find("_end") != std::string::npos;
    if (named_end && driven.count(joint) == 0 && parents.count(joint) == 0) take.end_sites += 1;
  }
}

Result<TakeFile> load(const InfoOptions& options) {
  TakeFile take;
  auto motion = load_motion(options.file, options.reading);
  if (!motion) {
    // Only a unit that cannot be told lets the same file be read once the unit is given.
    const Error problem = motion.error();
    const bool states_unit = holds_clips(options.file);
    if (states_unit || options.reading.unit_metres || problem.code != ErrorCode::kInput) {
      return problem;
    }
    MotionOptions in_units = options.reading;
    in_units.unit_metres = 1.0;
    motion = load_motion(options.file, in_units);
    if (!motion) return problem;
    take.unit_problem = problem.message;
  }
  take.motion = std::move(motion).value();
  read_structure(options.file, take);
  return take;
}

void measure(const Motion& motion, Extent& all, Extent& root, Fastest& fastest) {
  std::vector<Transform> before;
  for (std::int64_t frame = 0; frame < motion.frame_count(); ++frame) {
    auto now = scene::joint_places(motion.skeleton(), motion.pose(frame));
    const double gap = motion.ticks().empty() || frame == 0
                           ? motion.frame_time()
                           : motion.seconds(frame) - motion.seconds(frame - 1);
    root.add(now.front().translation);
    for (std::size_t i = 0; i < now.size(); ++i) {
      all.add(now[i].translation);
      if (frame == 0) continue;
      const double speed = core::norm(now[i].translation - before[i].translation) / gap;
      if (speed > fastest.speed) fastest = {i, frame - 1, speed};
    }
    before = std::move(now);
  }
}

std::string tree_text(const Skeleton& skeleton, std::string_view unit) {
  std::string out;
  std::vector<int> depth;
  for (const Joint& joint : skeleton.joints()) {
    const int level = joint.parent < 0 ? 0 : depth[static_cast<std::size_t>(joint.parent)] + 1;
    depth.push_back(level);
    const double length = core::norm(joint.rest.translation);
    // Deeper than this, the number says it: a chain of ten thousand joints is not to fill a disk.
    constexpr int kDeepest = 40;
    out += std::string(static_cast<std::size_t>(2 * std::min(level, kDeepest) + 2), ' ');
    if (level > kDeepest) out += fmt::format("(level {}) ", level);
    out += base::printable(joint.name);
    if (joint.parent >= 0) out += fmt::format("  {} {}", brief(length), unit);
    out += '\n';
  }
  return out;
}

std::string unit_text(const TakeFile& take) {
  if (!take.unit_problem.empty()) return "not known: " + take.unit_problem;
  const MotionSource& source = take.motion.source();
  return fmt::format("one unit is {} m ({})", brief(source.unit_metres), source.unit_reason);
}

std::string motion_frames_text(const Motion& motion) {
  const std::string count = grouped(motion.frame_count());
  if (const auto gaps = frame_gaps(motion)) {
    return fmt::format("{} {}, {} to {} s apart", count, rate_text(motion), brief(gaps->least),
                       brief(gaps->greatest));
  }
  return fmt::format("{} at {} Hz ({} s each), {} s", count, brief(1.0 / motion.frame_time()),
                     motion.frame_time(),
                     brief(motion.frame_time() * static_cast<double>(motion.frame_count())));
}

std::string text_for_people(const InfoOptions& options, const TakeFile& take,
                            const MotionContents& contents) {
  const Motion& motion = take.motion;
  const Skeleton& skeleton = motion.skeleton();
  const std::string_view unit = take.unit_problem.empty() ? "m" : "units";
  Extent all;
  Extent root;
  Fastest fastest;
  measure(motion, all, root, fastest);
  const std::int64_t joints = skeleton.size() - take.end_sites;
  std::string structure = grouped(joints);
  if (take.end_sites > 0) structure += fmt::format(" and {}", count_of(take.end_sites, "end site"));
  if (take.channels >= 0) structure += fmt::format(", {}", count_of(take.channels, "channel"));
  std::string out = fmt::format("{}: a take\n", base::printable(options.file));
  const MotionSource& source = motion.source();
  if (!source.clip.empty()) out += fact("Clip", source.clip);
  if (!source.skin.empty()) out += fact("Skin", source.skin);
  if (!source.skeleton_file.empty()) out += fact("Skeleton", source.skeleton_file);
  out += fact("Joints", structure);
  out += fact("Frames", motion_frames_text(motion));
  if (!source.rate_reason.empty()) out += fact("Rate", source.rate_reason);
  out += fact("Unit", unit_text(take));
  out += fact("Height", fmt::format("{} {} in the rest pose", brief(skeleton.rest_height()), unit));
  if (motion.frame_count() > 0) {
    out += fact("Root", fmt::format("x {}, y {}, z {}", extent(root.low.x, root.high.x, unit),
                                    extent(root.low.y, root.high.y, unit),
                                    extent(root.low.z, root.high.z, unit)));
    out += fact("Joints in", fmt::format("x {}, y {}, z {}", extent(all.low.x, all.high.x, unit),
                                         extent(all.low.y, all.high.y, unit),
                                         extent(all.low.z, all.high.z, unit)));
  }
  if (fastest.speed > 0.0) {
    out += fact("Fastest", fmt::format("{} at {} {}/s, between frames {} and {}",
                                       skeleton.joints()[fastest.joint].name, brief(fastest.speed),
                                       unit, grouped(fastest.frame), grouped(fastest.frame + 1)));
  }
  if (fastest.frame == 0 && fastest.speed > kJump && take.unit_problem.empty()) {
    out += fact("", "a jump: frame 0 may be a reference pose, which --frames 1: leaves out");
  }
  out += avatars_text(motion, take.unit_problem.empty());
  out += clips_text(contents);
  if (options.tree) out += "Tree, with rest lengths\n" + tree_text(skeleton, unit);
  return out;
}

Json to_json(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }

std::string text_for_programs(const InfoOptions& options, const TakeFile& take,
                              const MotionContents& contents) {
  const Motion& motion = take.motion;
  const Skeleton& skeleton = motion.skeleton();
  Extent all;
  Extent root;
  Fastest fastest;
  measure(motion, all, root, fastest);
  Json json;
  json["kind"] = "motion";
  json["file"] = base::valid_utf8(options.file);
  json["joints"] = skeleton.size() - take.end_sites;
  json["end_sites"] = take.end_sites;
  json["channels"] = take.channels >= 0 ? Json(take.channels) : Json(nullptr);
  json["frames"] = motion.frame_count();
  const auto gaps = frame_gaps(motion);
  json["frame_time"] = gaps ? Json(nullptr) : Json(motion.frame_time());
  json["uneven"] = !gaps ? Json(nullptr)
                         : Json{{"mean_rate", 1.0 / gaps->mean},
                                {"least_gap", gaps->least},
                                {"greatest_gap", gaps->greatest}};
  const bool known = take.unit_problem.empty();
  json["unit_metres"] = known ? Json(motion.source().unit_metres) : Json(nullptr);
  json["unit_reason"] = base::valid_utf8(known ? motion.source().unit_reason : take.unit_problem);
  json["rest_height"] = skeleton.rest_height();
  if (motion.frame_count() > 0) {
    json["root_range"] = Json::array({to_json(root.low), to_json(root.high)});
    json["joint_range"] = Json::array({to_json(all.low), to_json(all.high)});
  }
  if (fastest.speed > 0.0) {
    json["fastest"] = {{"joint", base::valid_utf8(skeleton.joints()[fastest.joint].name)},
                       {"speed", fastest.speed},
                       {"frames", {fastest.frame, fastest.frame + 1}}};
  }
  const MotionSource& source = motion.source();
  const auto or_null = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(base::valid_utf8(text));
  };
  json["clip"] = or_null(source.clip);
  json["skin"] = or_null(source.skin);
  json["skeleton"] = or_null(source.skeleton_file);
  json["rate_reason"] = or_null(source.rate_reason);
  add_avatars(json, motion, known);
  add_contents(json, contents);
  json["tree"] = Json::array();
  for (const Joint& joint : skeleton.joints()) {
    json["tree"].push_back({{"name", base::valid_utf8(joint.name)},
                            {"parent", joint.parent},
                            {"rest", to_json(joint.rest.translation)}});
  }
  return json.dump() + '\n';
}

}  // namespace

Result<Description> describe_motion(const InfoOptions& options, const MotionContents& contents) {
  if (contents.clips.size() > 1 && options.reading.clip.empty()) {
    // Nothing was chosen yet: what there is to choose from is the answer.
    return Description{options.json ? contents_for_programs(options.file, contents)
                                    : contents_for_people(options.file, contents),
                       {}};
  }
  const auto take = load(options);
  if (!take) return take.error();
  std::string text = options.json ? text_for_programs(options, *take, contents)
                                  : text_for_people(options, *take, contents);
  std::vector<std::string> warnings = take->motion.source().warnings;
  if (auto rest = rest_frame_text(options.file, take->motion)) warnings.push_back(*rest);
  return Description{std::move(text), std::move(warnings)};
}

}  // namespace tocsin::app
