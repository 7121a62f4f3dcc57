#include "io/import/skinned_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "base/unique_names.h"
#include "core/vector/vec.h"
#include "io/import/clip_sampler.h"
#include "io/import/key_times.h"
#include "io/import/read_animated_scene.h"
#include "io/import/rigid.h"
#include "io/import/scene_skeletons.h"
#include "io/unit.h"
#include "io/up_axis.h"
#include "scene/motion/motion_data.h"

namespace tocsin::io {
namespace {

/// Hz, where nothing says better: what most clips are made for. Only how finely a motion between
/// keys is followed depends on it.
constexpr double kDefaultRate = 60.0;

/// Change of a joint's scale from that at rest that causes a warning: well above what 32-bit floats
/// make of a scale that stays.
constexpr double kScaleTolerance = 1e-3;

/// "Walk", "Run", ...
template <class List>
std::string first_names(const List& list) {
  constexpr std::size_t kShown = 30;
  std::string text;
  for (std::size_t i = 0; i < list.size() && i < kShown; ++i) {
    text += (i == 0 ? "" : ", ") + base::in_quotes(list[i].name);
  }
  return list.size() > kShown ? text + ", ..." : text;
}

class SkinnedReader {
 public:
  SkinnedReader(AnimatedScene scene, std::string file, const MotionOptions& options)
      : scene_(std::move(scene)), file_(std::move(file)), options_(options) {
    std::erase_if(scene_.clips, [](const SceneClip& clip) { return clip.tracks.empty(); });
  }

  Result<Motion> read() {
    source_.file = file_;
    source_.format = scene_.format;
    if (Status status = choose_clip(); !status.ok()) return status.error();
    if (Status status = choose_skeleton(); !status.ok()) return status.error();
    if (Status status = choose_unit_and_axes(); !status.ok()) return status.error();
    for (const std::string& warning : scene_.warnings) warn(warning);
    if (std::string fault = key_fault(scene_, *clip_); !fault.empty()) return fail(fault);
    if (Status status = choose_frames(); !status.ok()) return status.error();
    return sample();
  }

 private:
  [[nodiscard]] Error fail(std::string_view cause) const {
    return {ErrorCode::kInput, fmt::format("{}: {}", file_, cause)};
  }
  [[nodiscard]] bool is_fbx() const { return scene_.format == "fbx"; }
  void warn(std::string_view text) {
    source_.warnings.push_back(fmt::format("{}: {}", file_, text));
  }
  template <class T>
  Result<T> in_file(Result<T> result) const {
    if (result.ok() || result.error().code != ErrorCode::kInput) return result;
    return fail(result.error().message);
  }

  Status choose_clip() {
    const std::vector<SceneClip>& clips = scene_.clips;
    if (clips.empty()) return fail("holds no animation");
    const auto named = [&](const SceneClip& clip) { return clip.name == options_.clip; };
    auto found = clips.begin();
    if (!options_.clip.empty()) {
      found = std::find_if(clips.begin(), clips.end(), named);
      if (found == clips.end()) {
        return fail(fmt::format("has no clip {}; it has {}", base::in_quotes(options_.clip),
                                first_names(clips)));
      }
    } else if (clips.size() > 1) {
      return fail(
          fmt::format("holds several clips; say which with --clip: {}", first_names(clips)));
    }
    clip_ = &*found;
    if (clips.size() > 1) source_.clip = clip_->name;
    return Nothing{};
  }

  /// The clip moves one of its joints; or, if `carried`, a node above them.
  [[nodiscard]] bool is_moved(const SceneSkeleton& skeleton, bool carried) const {
    std::vector<char> marks(scene_.nodes.size(), 0);
    for (const int joint : skeleton.nodes) {
      // An FBX node's pivots come right above it, and are moved in its stead.
      int node = joint;
      do {
        marks[static_cast<std::size_t>(node)] = 1;
        node = scene_.nodes[static_cast<std::size_t>(node)].parent;
      } while (node >= 0 && marks[static_cast<std::size_t>(node)] == 0 &&
               (carried || scene_.nodes[static_cast<std::size_t>(node)].helper));
    }
    return std::any_of(clip_->tracks.begin(), clip_->tracks.end(), [&](const SceneTrack& track) {
      return marks[static_cast<std::size_t>(track.node)] != 0;
    });
  }

  [[nodiscard]] bool is_called(const SceneSkeleton& skeleton) const {
    return std::find(skeleton.names.begin(), skeleton.names.end(), options_.skin) !=
           skeleton.names.end();
  }

  /// Those that are meant, if the options do not say exactly which.
  [[nodiscard]] std::vector<const SceneSkeleton*> fitting(
      const std::vector<SceneSkeleton>& skeletons) const {
    std::vector<const SceneSkeleton*> out;
    for (const bool carried : {false, true}) {
      for (const SceneSkeleton& skeleton : skeletons) {
        const bool fits = options_.skin.empty()
                              ? skeletons.size() == 1 || is_moved(skeleton, carried)
                              : is_called(skeleton);
        if (fits) out.push_back(&skeleton);
      }
      if (!out.empty()) break;
    }
    // What is called exactly so comes before what only has a skin or a root of that name.
    for (const SceneSkeleton& skeleton : skeletons) {
      if (!options_.skin.empty() && skeleton.name == options_.skin) out.assign(1, &skeleton);
    }
    return out;
  }

  Status choose_skeleton() {
    std::vector<SceneSkeleton> skeletons = scene_skeletons(scene_);
    if (skeletons.empty()) return fail("holds no skeleton");
    if (skeletons.size() > kMostSkeletons) {
      return fail(fmt::format("holds more than {} skeletons", kMostSkeletons));
    }
    std::vector<std::string*> names;
    names.reserve(skeletons.size());
    for (SceneSkeleton& skeleton : skeletons) names.push_back(&skeleton.name);
    (void)base::make_distinct(names);
    const std::vector<const SceneSkeleton*> meant = fitting(skeletons);
    if (meant.empty() && !options_.skin.empty()) {
      return fail(fmt::format("has no skeleton {}; it has {}", base::in_quotes(options_.skin),
                              first_names(skeletons)));
    }
    if (meant.size() != 1) {
      return fail(
          fmt::format("holds several skeletons, of which the clip moves {}; say which with "
                      "--skin: {}",
                      meant.empty() ? "none" : "more than one", first_names(skeletons)));
    }
    skeleton_ = *meant.front();
    if (skeletons.size() > 1) source_.skin = skeleton_.name;
    if (!is_moved(skeleton_, true)) {
      warn(
          fmt::format("clip {} moves none of the skeleton's joints", base::in_quotes(clip_->name)));
    }
    return Nothing{};
  }

  Status choose_unit_and_axes() {
    if (options_.unit_metres) {
      const Result<UnitChoice> told = choose_unit(options_.unit_metres, 0.0);
      if (!told.ok()) return told.error();
      source_.unit_metres = told->metres;
      source_.unit_reason = told->reason;
      if (is_fbx()) {
        warn(fmt::format("read in the axes that it states: {} up", letter_of(scene_.up)));
      }
      return Nothing{};
    }
    if (!std::isfinite(scene_.unit_metres) || scene_.unit_metres <= 0.0) {
      return fail(fmt::format("states a unit of {} m", scene_.unit_metres));
    }
    source_.unit_metres = scene_.unit_metres;
    source_.unit_reason = is_fbx() ? "as the file states" : "glTF is in metres";
    if (is_fbx()) {
      warn(fmt::format("read in the unit and axes that it states: {} m, {} up", scene_.unit_metres,
                       letter_of(scene_.up)));
    }
    return Nothing{};
  }

  /// Frames at a rate, from the first key on; what is left at the end is less than a frame.
  FrameGrid at_rate(const std::vector<double>& times, double rate) {
    const double frames = (times.back() - times.front()) * rate;
    const double whole = std::floor(frames + 1e-3);  // a key that rounding puts just short counts
    if (frames - whole > 1e-3) {
      warn(fmt::format("the last {:.3g} s are shorter than a frame and left out",
                       (frames - whole) / rate));
    }
    constexpr double kMost = 1e15;  // refused further on
    return {times.front(), 1.0 / rate, static_cast<std::int64_t>(std::min(whole, kMost)) + 1};
  }

  Status choose_frames() {
    const std::vector<double> times = key_times(*clip_, is_fbx());
    if (options_.rate) {
      const double rate = *options_.rate;
      if (!std::isfinite(rate) || rate <= 0.0 || !detail::frame_time_problem(1.0 / rate).empty()) {
        return {ErrorCode::kUsage, fmt::format("{}: a rate of {} Hz makes no sense", file_, rate)};
      }
      frames_ = at_rate(times, rate);
      source_.rate_reason = "as told";
    } else if (times.size() < 2) {
      const bool said = detail::frame_time_problem(clip_->frame_time).empty();
      frames_ = {times.empty() ? 0.0 : times.front(), said ? clip_->frame_time : 1.0 / kDefaultRate,
                 1};
      if (!said) source_.rate_reason = "a choice, as there is only one frame";
    } else if (const auto grid = even_grid(times, clip_->frame_time)) {
      frames_ = *grid;
    } else {
      const bool stated =
          clip_->rate > 0.0 && detail::frame_time_problem(1.0 / clip_->rate).empty();
      const double rate = stated ? clip_->rate : kDefaultRate;
      frames_ = at_rate(times, rate);
      source_.rate_reason = stated ? "as the file states; its keys are not evenly spaced"
                                   : "a choice, as the file's keys are not evenly spaced";
      warn(describe_gaps(times, rate));
    }
    return Nothing{};
  }

  /// Whether a file of this size may take so many frames.
  Status check_work(const ClipSampler& sampler) const {
    const std::size_t joints = skeleton_.nodes.size();
    const std::int64_t moving = sampler.moving();
    const double steps = static_cast<double>(frames_.count) *
                         (2.0 * static_cast<double>(joints) + static_cast<double>(moving));
    const double most =
        static_cast<double>(kFreeSkinnedSteps) +
        static_cast<double>(kSkinnedStepsPerByte) * static_cast<double>(scene_.bytes);
    if (steps <= most) return Nothing{};
    return fail(
        fmt::format("clip {}: {} frames of {} joints, with {} nodes that move them, are out of "
                    "proportion to the file; a lower --rate makes fewer",
                    base::in_quotes(clip_->name), frames_.count, joints, moving));
  }

  static std::string describe_gaps(const std::vector<double>& times, double rate) {
    double least = times[1] - times[0];
    double most = least;
    for (std::size_t i = 2; i < times.size(); ++i) {
      least = std::min(least, times[i] - times[i - 1]);
      most = std::max(most, times[i] - times[i - 1]);
    }
    return fmt::format(
        "its keys lie at {} times that are not evenly spaced ({:.3g} to {:.3g} s apart); sampled "
        "at "
        "{} Hz",
        times.size(), least, most, rate);
  }

  /// A joint's place in Tocsin's unit and axes; nothing if it is no rigid motion.
  [[nodiscard]] std::optional<Transform> placed(const Affine& world) const {
    std::optional<Transform> out = rigid_part(world);
    if (!out) return out;
    out->translation = source_.unit_metres * out->translation;
    for (const UpAxis up : {scene_.up, options_.up}) {
      if (up == UpAxis::kY) continue;
      using core::operator*;
      out->rotation = up_rotation(up) * out->rotation;
      out->translation = turned_up(out->translation, up);
    }
    return out;
  }

  /// All joints' local transforms, as the sampler has them now. Empty, or what is wrong.
  std::string take_pose(const ClipSampler& sampler, std::vector<Transform>& out) {
    const std::size_t count = skeleton_.nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<Transform> place = placed(sampler.world(skeleton_.nodes[i]));
      if (!place) {
        return fmt::format("joint {}: it is mirrored, flattened or not finite",
                           base::in_quotes(joint_name(i)));
      }
      places_[i] = *place;
      const int parent = skeleton_.parents[i];
      out.push_back(parent < 0 ? Transform{core::normalized(place->rotation), place->translation}
                               : relative(places_[static_cast<std::size_t>(parent)], *place));
    }
    return {};
  }

  [[nodiscard]] const std::string& joint_name(std::size_t joint) const {
    return scene_.nodes[static_cast<std::size_t>(skeleton_.nodes[joint])].name;
  }

  void watch_scale(const ClipSampler& sampler) {
    for (std::size_t i = 0; i < rest_stretch_.size(); ++i) {
      const Vec3 now = stretches(sampler.world(skeleton_.nodes[i]));
      const Vec3& rest = rest_stretch_[i];
      for (const double ratio : {now.x / rest.x, now.y / rest.y, now.z / rest.z}) {
        most_scale_[i] = std::max({most_scale_[i], ratio, 1.0 / ratio});
      }
    }
  }

  Result<Skeleton> rest_skeleton(const ClipSampler& sampler) {
    places_.resize(skeleton_.nodes.size());
    std::vector<Transform> rest;
    if (std::string fault = take_pose(sampler, rest); !fault.empty()) {
      return fail("at rest, " + fault);
    }
    std::vector<Joint> joints;
    joints.reserve(rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
      joints.push_back({joint_name(i), skeleton_.parents[i], rest[i]});
      rest_stretch_.push_back(stretches(sampler.world(skeleton_.nodes[i])));
    }
    most_scale_.assign(rest.size(), 1.0);
    std::vector<std::string*> names;
    names.reserve(joints.size());
    for (Joint& joint : joints) names.push_back(&joint.name);
    const std::string renamed = base::describe_renames(base::make_distinct(names), "joint");
    if (!renamed.empty()) warn(renamed);
    return in_file(Skeleton::create(std::move(joints)));
  }

  Result<Motion> sample() {
    ClipSampler sampler(scene_, *clip_, skeleton_.nodes);
    if (Status status = check_work(sampler); !status.ok()) return status.error();
    Result<Skeleton> skeleton = rest_skeleton(sampler);
    if (!skeleton.ok()) return skeleton.error();
    std::vector<Transform> poses;
    poses.reserve(static_cast<std::size_t>(frames_.count) * skeleton_.nodes.size());
    for (std::int64_t k = 0; k < frames_.count; ++k) {
      sampler.go_to(frames_.first + static_cast<double>(k) * frames_.frame_time);
      if (std::string fault = take_pose(sampler, poses); !fault.empty()) {
        return fail(fmt::format("clip {}, frame {}, {}", base::in_quotes(clip_->name), k, fault));
      }
      watch_scale(sampler);
    }
    warn_about_frames(sampler);
    return in_file(Motion::create(std::move(skeleton).value(), frames_.frame_time, std::move(poses),
                                  std::move(source_)));
  }

  void warn_about_frames(const ClipSampler& sampler) {
    if (const std::int64_t guessed = sampler.guessed(); guessed > 0) {
      warn(
          fmt::format("some frames lie between keys of curves that assimp does not deliver; they "
                      "are taken as straight there: {} of {} curves",
                      guessed, clip_->tracks.size()));
    }
    const auto scaled = std::count_if(most_scale_.begin(), most_scale_.end(),
                                      [](double ratio) { return ratio > 1.0 + kScaleTolerance; });
    if (scaled > 0) {
      warn(fmt::format(
          "the clip scales joints, by up to {:.3g} times; links keep their lengths at "
          "rest: {} of {} joints",
          *std::max_element(most_scale_.begin(), most_scale_.end()), scaled, most_scale_.size()));
    }
  }

  AnimatedScene scene_;
  std::string file_;
  const MotionOptions& options_;
  MotionSource source_;
  const SceneClip* clip_ = nullptr;
  SceneSkeleton skeleton_;
  FrameGrid frames_;
  std::vector<Transform> places_;   ///< of the joints in the world, for the pose at hand
  std::vector<Vec3> rest_stretch_;  ///< of each joint
  std::vector<double> most_scale_;  ///< of each joint: the largest change against that
};

}  // namespace

Result<Motion> read_skinned_motion(const std::filesystem::path& file, const MotionOptions& options,
                                   InputLog* log) {
  Result<AnimatedScene> scene = read_animated_scene(file, log);
  if (!scene.ok()) return scene.error();
  return SkinnedReader(std::move(scene).value(), file.string(), options).read();
}

}  // namespace tocsin::io
