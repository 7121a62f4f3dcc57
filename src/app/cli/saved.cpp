#include "app/cli/saved.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "app/check/take_words.h"
#include "app/cli/file_kind.h"
#include "app/cli/words.h"
#include "base/json_text.h"
#include "base/output_file.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

/// "5.5 MB"; empty for what has no size, such as a pipe.
std::string size_text(const std::string& file) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  if (error) return {};
  if (bytes < 1'000'000) return fmt::format(", {} kB", brief(static_cast<double>(bytes) / 1e3));
  return fmt::format(", {} MB", brief(static_cast<double>(bytes) / 1e6));
}

}  // namespace

ExitStatus tell_saved(std::string_view command, const std::string& file, const std::string& what) {
  const std::string line = fmt::format("{}: {}{}\n", base::printable(file), what, size_text(file));
  const Status told = base::write_to_standard_output(line);
  return told ? kDone : report_failure(command, told.error());
}

ExitStatus report_failure(std::string_view command, const Error& error) {
  print_error(command, error.message);
  return exit_status(error.code);
}

Status check_output_format(FileKind kind, const std::string& file) {
  const bool motion = kind == FileKind::kMotion;
  const bool known = motion ? has_extension(file, {".bvh", ".glb", ".poses"})
                            : has_extension(file, {".obj", ".ply", ".glb"});
  if (known) return Nothing{};
  return Error{ErrorCode::kUsage,
               fmt::format("OUT: a {} is written to {}, not to {}", motion ? "take" : "room",
                           motion ? ".bvh, .glb or .poses" : ".obj, .ply or .glb", file)};
}

ExitStatus save_and_tell(std::string_view command, const Motion& motion, const std::string& file) {
  const std::string what =
      fmt::format("{} {}, {}", count_of(motion.frame_count(), "frame"), rate_text(motion),
                  count_of(motion.skeleton().size(), "joint"));
  const auto saved = save_motion(motion, file);
  if (!saved) return report_failure(command, saved.error());
  for (const std::string& warning : saved->warnings) {
    print_warning(command, fmt::format("{}: {}", file, warning));
  }
  return tell_saved(command, file, what);
}

ExitStatus save_and_tell(std::string_view command, const Environment& room,
                         const std::string& file) {
  const std::string what =
      fmt::format("{}, {}", count_of(static_cast<std::int64_t>(room.objects().size()), "object"),
                  count_of(static_cast<std::int64_t>(room.triangles().size()), "triangle"));
  if (const Status saved = save_environment(room, file); !saved) {
    return report_failure(command, saved.error());
  }
  return tell_saved(command, file, what);
}

ExitStatus save_text_and_tell(std::string_view command, std::string_view text,
                              const std::string& file) {
  base::OutputFile out;
  Status saved = out.open(file);
  if (saved) saved = out.write(text) ? out.finish() : Status(out.error());
  if (!saved) return report_failure(command, saved.error());
  const auto lines = std::count(text.begin(), text.end(), '\n');
  return tell_saved(command, file, count_of(static_cast<std::int64_t>(lines), "line"));
}

}  // namespace tocsin::app
