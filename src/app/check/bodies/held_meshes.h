// `--hold`: meshes that an avatar holds.
#pragma once

#include <string>
#include <vector>

#include "io/input_files.h"
#include "tocsin/binding.h"
#include "tocsin/check_spec.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// The avatar with a link for each mesh behind its own, called like the file without folder and
/// ending, made distinct. `held`: gets the skeleton's own names of joints. A joint is looked for as
/// the skeleton calls it, then as the model does; case and a prefix up to ':' count last. `log`
/// gets the files, `warnings` what was tolerated. Errors: kUsage: no such joint; kInput: the file;
/// the place.
Result<Avatar> with_held_meshes(const BoundAvatar& bound, std::vector<HeldMesh>& held,
                                io::InputLog& log, std::vector<std::string>& warnings);

}  // namespace tocsin::app
