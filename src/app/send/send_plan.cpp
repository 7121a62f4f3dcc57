#include "app/send/send_plan.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "app/check/take_words.h"
#include "tocsin/active_pairs.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

bool is_shipped(const std::string& name) {
  const auto names = shipped_avatar_models();
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The links as they are bound here, joints by their own names: a model's naming schemes and end
/// points that depend on the skeleton have no place in a message, and the bits stay the same.
AvatarModel bound_model(const Avatar& avatar, const Skeleton& skeleton) {
  AvatarModel out;
  out.name = avatar.name();
  for (const Link& link : avatar.links()) {
    LinkModel model;
    model.name = link.name;
    model.joint = skeleton.joints()[static_cast<std::size_t>(link.joint)].name;
    model.a.offset = link.a;
    model.b.offset = link.b;
    model.radius = link.radius;
    out.links.push_back(std::move(model));
  }
  return out;
}

Status choose_model(const SendOptions& options, TrackOptions& track,
                    std::optional<double>& bound_factor) {
  track.avatar = options.check.takes.front().avatar;
  auto& [model, radii, place] = track.avatar;
  if (model == "auto" || is_shipped(model)) return Nothing{};
  const auto avatar = Avatar::bind(load_avatar_model(model), track.skeleton, radii);
  if (!avatar) return avatar.error();
  track.model = bound_model(*avatar, track.skeleton);
  bound_factor = avatar->radius_factor();
  radii = {};  // they are in the model
  return Nothing{};
}

}  // namespace

Result<std::unique_ptr<const SendPlan>> make_send_plan(const SendOptions& options,
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
  if (auto chosen = choose_model(options, track, bound_factor); !chosen) return chosen.error();
  track.spec = check.spec;
  track.coalesce = options.coalesce;
  track.label = "tocsin send";
  track.meet = options.meet;
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
  return std::unique_ptr<const SendPlan>(
      std::make_unique<SendPlan>(SendPlan{std::move(track), std::move(playback), chances,
                                          options.apart, columns, bound_factor, take_lines}));
}

}  // namespace tocsin::app
