// A case as files that the command line can read.
#pragma once

#include <filesystem>
#include <string>

#include "selftest/compare/case.h"
#include "tocsin/result.h"

namespace tocsin::selftest {

/// Writes the room (room.ply), each member's step as a take of two frames (take-0.poses) and its
/// links (avatar-0.json) into a folder that is made, and run.sh, which asks the CPU and the other
/// backend about them. Numbers keep their bits. A case of several instants, of several avatars that
/// do not meet, or about ways of the CPU cannot be asked like that: run.sh then repeats case
/// `number` of the selftest. `options`: of the command line, for the backend: "--backend cuda
/// --emulate". Errors: kResource: a file that cannot be written.
Status write_case(const Case& question, std::size_t number, const std::string& backend,
                  const std::string& options, const std::filesystem::path& folder);

}  // namespace tocsin::selftest
