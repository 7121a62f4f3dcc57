// Sends an AnimatedScene from the child process that read it.
#pragma once

#include <string_view>

#include "base/limited_process.h"
#include "io/import/animated_scene.h"

namespace tocsin::io {

/// All but the format and the size, which the parent knows.
void send_scene(const AnimatedScene& scene, base::ChildOutput& output);

/// False if the child sent an invalid scene, as it may after a broken file: an index out of range,
/// a parent that does not come before its child, an unknown enumerator, a skin without joints, a
/// track without keys, keys without values.
bool take_scene(std::string_view bytes, AnimatedScene& scene);

}  // namespace tocsin::io
