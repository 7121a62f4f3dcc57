// A case as files that the command line can read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "selftest/compare/case.h"
#include "tocsin/result.h"

namespace tocsin::selftest {

/// What run.sh asks.
enum class AskAlone : std::uint8_t {
  kBackends,   ///< whether a backend's contacts are the CPU's: tocsin validate
  kOracle,     ///< whether the oracle refutes the CPU: tocsin check, tocsin verify
  kGlMethods,  ///< whether both methods of OpenGL keep as many pairs: tocsin validate, twice
};

struct HowToAsk {
  AskAlone what = AskAlone::kBackends;
  std::size_t number = 0;       ///< what the selftest calls the case
  std::string backend = "cpu";  ///< of kBackends and kGlMethods
  std::string options = {};     ///< of `tocsin validate`, for the backend: "--emulate"
};

/// Writes the room (room.ply), each member's step as a take of two frames (take-0.poses) and its
/// links (avatar-0.json) into a folder that is made, and run.sh, which asks about them again. Its
/// status is 1 if the fault is still there. Numbers keep their bits. A case of several instants, of
/// several avatars that do not meet, or about ways of the CPU cannot be asked like that: run.sh
/// then repeats case `number` of the selftest. Errors: kResource: a file that cannot be written.
Status write_case(const Case& question, const HowToAsk& how, const std::filesystem::path& folder);

}  // namespace tocsin::selftest
