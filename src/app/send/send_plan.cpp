#include "app/send/send_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "app/check/bodies/held_meshes.h"
#include "app/check/take_words.h"
#include "base/quoted.h"
#include "io/avatar/bound_model.h"
#include "tocsin/active_pairs.h"
#include "tocsin/binding.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

bool is_shipped(const std::string& name) {
  const auto names = shipped_avatar_models();
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The avatar with what it holds. `held`: is settled.
Result<Avatar> holding(const BoundAvatar& bound, std::vector<HeldMesh>& held,
                       std::vector<std::string>& warnings) {
  io::InputLog read;
  auto out = with_held_meshes(bound, held, read, warnings);
  held.clear();
  if (!out) return out;
  // The server finds joints by their names.
  const auto again = Avatar::bind(io::bound_model(*out), out->skeleton());
  if (!again) return again;
  for (std::size_t i = 0; i < out->links().size(); ++i) {
    if (out->links()[i].joint == again->links()[i].joint) continue;
    return Error{ErrorCode::kInput,
                 fmt::format("--hold: two joints of the skeleton are called {}",
                             base::in_quotes(io::bound_model(*out).links[i].joint))};
  }
  return out;
}

/// A shipped model or `auto` is the server's to bind, unless that takes frames, which it does not
/// have yet, or the avatar holds something. `warnings` gets what there is to say of the binding.
Status choose_model(const SendOptions& options, const Motion& motion, TrackOptions& track,
                    std::optional<double>& bound_factor, std::vector<std::string>& warnings) {
  const Take& take = options.check.takes.front();
  AvatarSpec& asked = track.avatar;
  asked = take.avatar;
  const auto bind = [&]() -> Result<BoundAvatar> {
    if (asked.model == "auto") return choose_bound_avatar(motion, asked.radii);
    const auto loaded = load_avatar_model(asked.model);
    if (!loaded) return loaded.error();
    return bind_avatar(*loaded, motion, asked.radii);
  };
  const auto bound = bind();
  const bool by_server = asked.hold.empty() && (asked.model == "auto" || is_shipped(asked.model));
  // What the server binds, it refuses with the same words.
  if (!bound) return by_server ? Status(Nothing{}) : bound.error();
  if (by_server && !bound->binding.from_motion) return Nothing{};
  // The server says what there is to say of what it binds.
  for (const std::string& note : bound->binding.notes) {
    warnings.push_back(take.motion + ": " + note);
  }
  auto avatar = Result<Avatar>(bound->avatar);
  if (!asked.hold.empty()) avatar = holding(*bound, asked.hold, warnings);
  if (!avatar) return avatar.error();
  track.model = io::bound_model(*avatar);
  bound_factor = bound->avatar.radius_factor();
  asked.radii = {};  // they are in the model
  return Nothing{};
}

}  // namespace

Result<std::unique_ptr<SendPlan>> make_send_plan(const SendOptions& options,
                                                 std::vector<std::string>& warnings) {
  const CheckOptions& check = options.check;
  const Take& take = check.takes.front();
  // Only their form: which links and objects there are is the server's to say.
  if (const auto active = ActivePairs::ignoring({}, {}, check.spec.ignore); !active) {
    return Error{active.error().code, "--ignore: " + active.error().message};
  }
  auto motion = load_motion(take.motion, take.reading);
  if (!motion) return motion.error();
  warnings = motion->source().warnings;
  TrackOptions track;
  track.environment = options.environment;
  track.skeleton = motion->skeleton();
  std::optional<double> bound_factor;
  if (auto chosen = choose_model(options, *motion, track, bound_factor, warnings); !chosen) {
    return chosen.error();
  }
  track.spec = check.spec;
  track.coalesce = options.coalesce;
  track.label = "tocsin send";
  track.meet = options.meet;
  track.ignore_rest = check.ignore_rest;
  track.nearest = options.nearest;
  track.most_distances = 1024;  // as many as a server tells
  track.lookahead = options.lookahead;
  track.tracker = options.tracker.poses;
  SendTracker tracker(options.tracker, motion->skeleton(), options.seed);
  auto turned = tracker.skeleton();
  if (!turned) return turned.error();
  track.skeleton = std::move(turned).value();
  FrameRange frames = take.frames;
  if (auto said = settle_rest_frame(take, *motion, frames)) warnings.push_back(std::move(*said));
  if (const auto steps = motion.value().steps({frames.first, frames.last, frames.stride}); !steps) {
    return Error{steps.error().code, "--frames: " + steps.error().message};
  }
  Playback playback(std::move(motion).value(), options.rate, options.seconds, frames);
  // As the take's own numbers say it, whatever the pace: contacts have the times of `tocsin check`.
  track.frame_seconds = playback.id_seconds();
  const Chances chances{options.loss, options.jitter / 1e3, options.duplicates, options.seed};
  const int columns = static_cast<int>(std::ceil(std::sqrt(options.avatars)));
  // To and fro, and at a meeting's ticks, steps are none of the take's.
  const bool take_lines = !playback.whole() && options.seconds <= 0.0 && !options.meet;
  const double stagger =
      options.stagger ? static_cast<double>(playback.cycle()) / options.avatars : 0.0;
  return std::make_unique<SendPlan>(
      SendPlan{std::move(track), std::move(playback), chances, options.apart, columns, stagger,
               bound_factor, take_lines, options.floats, options.linked_only, std::move(tracker)});
}

}  // namespace tocsin::app
