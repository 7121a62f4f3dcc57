// An AnimatedScene on its way from the child process that read it.
#pragma once

#include <string_view>

#include "io/animated_scene.h"
#include "io/limited_process.h"

namespace tocsin::io {

/// All but the format and the size, which the parent knows.
void send_scene(const AnimatedScene& scene, ChildOutput& output);

/// False if a child that met with a broken file sent something impossible: an index that leads
/// nowhere, a parent that does not come before its child, a value that an enumeration does not
/// have, a skin without joints, a track without keys, keys without values.
bool take_scene(std::string_view bytes, AnimatedScene& scene);

}  // namespace tocsin::io
