#include "shared/files.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace tocsin::bench {
namespace {

namespace fs = std::filesystem;

bool write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) fmt::print(stderr, "error: cannot write {}\n", file.string());
  return static_cast<bool>(out);
}

}  // namespace

// The only file of the benches that an absolute path goes into: a cached object of any other file
// serves a clone in another folder.
fs::path source_folder() { return TOCSIN_SOURCE_DIR; }

fs::path data_folder() {
  const char* const named = std::getenv("TOCSIN_DATA");
  if (named != nullptr && *named != '\0') return named;
  return source_folder() / "../shared/data";
}

void keep_so_far(const std::string& json_file, const std::string& json) {
  std::error_code ignored;
  const fs::path whole = json_file + ".new";
  if (write(whole, json)) fs::rename(whole, json_file, ignored);
}

bool keep(const Results& results, const std::string& json_file, bool save, const Machine& machine) {
  bool ok = json_file.empty() || write(json_file, results.json);
  if (save) {
    const fs::path folder = source_folder() / "bench" / "results" / machine.slug;
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    ok = write(folder / (results.name + ".txt"), results.text) &&
         write(folder / (results.name + ".json"), results.json) && ok;
  }
  return ok;
}

int finish(const Results& results, const Options& options, const Machine& machine, bool sound,
           const std::string& complaint) {
  fmt::print("{}", results.text);
  std::fflush(stdout);
  if (!keep(results, options.json, options.save, machine)) return 4;
  if (sound) return 0;
  fmt::print(stderr, "error: {}\n", complaint);
  return 1;
}

}  // namespace tocsin::bench
