// Where benches find their inputs and keep their results.
#pragma once

#include <filesystem>
#include <string>

#include "shared/machine.h"
#include "shared/options.h"

namespace tocsin::bench {

/// The repository's folder.
std::filesystem::path source_folder();

/// The folder of the test data: TOCSIN_DATA, else ../shared/data beside the repository. It may not
/// be there.
std::filesystem::path data_folder();

/// What a bench found, for people and for programs.
struct Results {
  std::string name;  ///< of the bench and its files: "step"
  std::string text;
  std::string json;
};

/// Writes the JSON to `json_file`, unless that is empty; and, if `save`, both to
/// bench/results/<machine>/. False, with a message, if a file could not be written.
bool keep(const Results& results, const std::string& json_file, bool save, const Machine& machine);

/// Replaces the file by what was found so far, which a run that is ended on the way leaves there.
void keep_so_far(const std::string& json_file, const std::string& json);

/// How a bench ends: prints the text and keeps both. Returns the exit status: 4 if a file could not
/// be written, 1 with `complaint` unless the figures are `sound`, else 0.
int finish(const Results& results, const Options& options, const Machine& machine, bool sound,
           const std::string& complaint);

}  // namespace tocsin::bench
