#include "app/serve/serve_live.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/quoted.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

/// A model's file is read now: sessions are never given paths.
Status load_model(const LiveArgument& argument, TrackOptions& track) {
  if (argument.avatar.empty() || argument.avatar == "auto") return Nothing{};
  const std::vector<std::string> shipped = shipped_avatar_models();
  auto loaded = load_avatar_model(argument.avatar);
  if (!loaded) return loaded.error();
  track.avatar.model = argument.avatar;
  if (std::find(shipped.begin(), shipped.end(), argument.avatar) != shipped.end()) return Nothing{};
  track.model = std::move(loaded).value();
  return Nothing{};
}

Status load_one(const LiveArgument& argument, const std::vector<ServedRoom>& rooms,
                service::LiveOptions& out) {
  const std::string& room = out.track.environment;
  const bool known = std::any_of(rooms.begin(), rooms.end(),
                                 [&](const ServedRoom& one) { return one.name == room; });
  if (!room.empty() && !known) {
    return Error{ErrorCode::kUsage, fmt::format("no --env is called {}", base::in_quotes(room))};
  }
  if (rooms.empty()) return Error{ErrorCode::kUsage, "there is no room (--env)"};
  if (!argument.skeleton.empty()) {
    const auto motion = load_motion(argument.skeleton);
    if (!motion) return motion.error();
    out.skeleton = motion->skeleton();
  }
  if (auto model = load_model(argument, out.track); !model) return model;
  auto sound = service::check_live(out);
  if (sound || argument.skeleton.empty() || sound.error().code != ErrorCode::kInput) return sound;
  return Error{ErrorCode::kInput, fmt::format("{}: {}", argument.skeleton, sound.error().message)};
}

}  // namespace

Result<std::vector<service::LiveOptions>> load_live(const ServeOptions& options) {
  std::vector<service::LiveOptions> out;
  for (const LiveArgument& argument : options.live) {
    service::LiveOptions made = argument.options;
    made.track.label = argument.option.substr(2);
    if (const Status loaded = load_one(argument, options.rooms, made); !loaded) {
      return {loaded.error().code, argument.option + ": " + loaded.error().message};
    }
    out.push_back(std::move(made));
  }
  return out;
}

Result<std::shared_ptr<service::OscOut>> open_osc_out(const ServeOptions& options) {
  if (options.osc_out.empty()) return std::shared_ptr<service::OscOut>();
  auto out = service::OscOut::to(options.osc_out);
  if (!out) return {out.error().code, "--osc-out: " + out.error().message};
  return out;
}

Result<std::unique_ptr<service::LiveSources>> start_live(
    const std::vector<service::LiveOptions>& sources, service::Engine& engine,
    service::Access& access, const ServeLog& said, bool quiet) {
  service::LiveSurroundings around{
      engine, access.asks_for_tokens() ? nullptr : access.admit(std::nullopt, {}), nullptr,
      [&said](const std::string& line) { said.warn(line); }};
  if (!around.principal) {  // no sender has a token; what it may is a principal's usual limits
    around.principal = std::make_shared<service::Principal>();
    around.principal->name = "udp";
  }
  if (!quiet) around.note = [&said](const std::string& line) { said.note(line); };
  return service::LiveSources::start(sources, around);
}

}  // namespace tocsin::app
