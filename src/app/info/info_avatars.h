// Which avatars a motion's skeleton takes, and how their joints are found, for `tocsin info`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tocsin/motion.h"

namespace tocsin::app {

/// A line for each model that Tocsin ships and one for one link per bone; then, for the avatar of
/// `--avatar auto`, how each joint was found and how sure that is. `unit_known`: false: lengths are
/// in the file's unit, and what is longer than a metre is not said.
std::string avatars_text(const Motion& motion, bool unit_known);

/// Adds "avatars" (names of the models that bind) and "binding" (how `auto` binds).
void add_avatars(nlohmann::ordered_json& json, const Motion& motion, bool unit_known);

}  // namespace tocsin::app
