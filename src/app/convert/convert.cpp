#include "app/convert/convert.h"

#include <fmt/format.h>

#include "app/cli/file_kind.h"
#include "app/cli/saved.h"
#include "app/cli/words.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

constexpr std::string_view kConvertCommand = "tocsin convert";

/// The only kind that OUT can be; none if it can be both.
std::optional<FileKind> kind_of_output(const std::string& file) {
  if (has_extension(file, {".bvh", ".poses"})) return FileKind::kMotion;
  if (has_extension(file, {".obj", ".ply"})) return FileKind::kRoom;
  return std::nullopt;
}

/// The kind as which IN is read. Errors: kUsage if IN and OUT do not fit.
Result<KnownKind> chosen_kind(const ConvertOptions& options) {
  const std::optional<FileKind> wanted = options.as ? options.as : kind_of_output(options.output);
  const bool both = holds_clips(options.input);
  auto known = kind_of(options.input, both ? wanted : std::nullopt);
  if (!known) return known;
  if (!known->kind) {
    return {ErrorCode::kInput,
            fmt::format("{}: not a known kind of file; expected a take ({}) or a room ({})",
                        options.input, motion_extensions(), room_extensions())};
  }
  if (wanted && known->kind != wanted) {
    const bool motion = known->kind == FileKind::kMotion;
    return {ErrorCode::kUsage,
            fmt::format("{} is a {}; it cannot be written as a {} to {}", options.input,
                        motion ? "take" : "room", motion ? "room" : "take", options.output)};
  }
  return known;
}

ExitStatus convert_motion(const ConvertOptions& options) {
  const auto motion = load_motion(options.input, options.reading);
  if (!motion) return report_failure(kConvertCommand, motion.error());
  for (const std::string& warning : motion->source().warnings)
    print_warning(kConvertCommand, warning);
  return save_and_tell(kConvertCommand, *motion, options.output);
}

ExitStatus convert_room(const ConvertOptions& options) {
  const auto room = load_environment(options.input, options.room);
  if (!room) return report_failure(kConvertCommand, room.error());
  for (const std::string& warning : room->warnings()) print_warning(kConvertCommand, warning);
  return save_and_tell(kConvertCommand, *room, options.output);
}

}  // namespace

ExitStatus run_convert(const ConvertOptions& options) {
  std::vector<std::string> inputs{options.input};
  if (options.reading.skeleton) inputs.push_back(options.reading.skeleton->string());
  if (auto kept = refuse_overwriting("OUT", options.output, inputs); !kept) {
    return report_failure(kConvertCommand, kept.error());
  }
  const auto known = chosen_kind(options);
  if (!known) return report_failure(kConvertCommand, known.error());
  const FileKind kind = *known->kind;
  if (auto fits = check_output_format(kind, options.output); !fits) {
    return report_failure(kConvertCommand, fits.error());
  }
  if (auto fit = check_options_fit(kind, options.input, options.reading, options.room); !fit) {
    return report_failure(kConvertCommand, fit.error());
  }
  return kind == FileKind::kMotion ? convert_motion(options) : convert_room(options);
}

}  // namespace tocsin::app
