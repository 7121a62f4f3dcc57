// What the benches run on: the recorded take in the furnished house where the test data is, else
// the demo's take in the demo's room.
#pragma once

#include <string>
#include <vector>

#include "tocsin/tocsin.h"

namespace tocsin::bench {

/// Steps of one take at one place in one room.
struct Case {
  std::string name;  ///< for a person and for JSON: "easy, stride 1"
  std::string what;  ///< placement and stride in words
  std::vector<Step> steps;
};

/// Everything that is timed.
struct Inputs {
  std::string motion;  ///< file, relative to the data folder or the repository
  std::string room;
  bool recorded = false;  ///< the test data was found
  Avatar avatar;
  Environment environment;
  std::vector<Case> cases;
};

/// Loads the inputs. quick: few steps of each case, those around the take's middle, where there are
/// contacts.
Result<Inputs> load_inputs(bool quick);

}  // namespace tocsin::bench
