// tocsin::load_avatar_model() with a record of what was read.
#pragma once

#include <string>

#include "io/avatar/embedded_avatar_models.h"
#include "io/input_files.h"
#include "tocsin/io.h"

namespace tocsin::io {

/// The record of a model that Tocsin ships.
InputRecord shipped_input(const EmbeddedAvatarModel& model);

/// As tocsin::load_avatar_model(). `log`, unless it is null, gets the model's record. Errors: as
/// there.
Result<AvatarModel> load_avatar_model(const std::string& name_or_file, InputLog* log);

}  // namespace tocsin::io
