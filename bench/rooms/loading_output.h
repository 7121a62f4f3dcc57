// What bench_loading prints and keeps: a table for people, JSON for later comparison.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shared/machine.h"
#include "shared/timing.h"

namespace tocsin::bench {

/// What was found about one file. Times in seconds, of the processor unless said otherwise: on a
/// machine that also does other work only these repeat.
struct LoadingCase {
  std::string name;
  std::string format;  ///< "OBJ", "PLY"
  std::uint64_t bytes = 0;
  std::uint64_t triangles = 0;
  std::uint64_t vertices = 0;
  std::uint64_t objects = 0;
  std::size_t passes = 0;
  Figures load;                ///< load_environment()
  Figures load_wall;           ///< the same, by the clock on the wall
  Figures assimp;              ///< Assimp::Importer::ReadFile()
  Figures ratio;               ///< assimp / load, pass by pass
  Figures hash;                ///< sha256_file()
  double save_seconds = 0.0;   ///< save_environment(), once; 0: the file was there
  double limit_seconds = 0.0;  ///< what load_wall is to stay below; 0: nothing is demanded
  bool same = true;            ///< what was read is what was written, and assimp has as many faces
};

struct LoadingReport {
  Machine machine;
  bool quick = false;
  bool has_house = false;
  std::vector<LoadingCase> cases;
};

std::string loading_text(const LoadingReport& report);
std::string loading_json(const LoadingReport& report);

}  // namespace tocsin::bench
