#include "app/info/info.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/file_kind.h"
#include "app/cli/words.h"
#include "app/info/info_parts.h"
#include "base/output_file.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

bool is_avatar_model(const std::string& file) {
  const auto shipped = shipped_avatar_models();
  return has_extension(file, {".json", ".urdf"}) ||
         std::find(shipped.begin(), shipped.end(), file) != shipped.end();
}

Result<Description> describe(const InfoOptions& options) {
  if (is_avatar_model(options.file)) return describe_avatar_model(options);
  const auto known = kind_of(options.file, options.as);
  if (!known) return known.error();
  if (!known->kind) {
    return {ErrorCode::kInput,
            fmt::format("{}: not a known kind of file; expected a take ({}), a room ({}) or an "
                        "avatar model (.json, .urdf, or one of {})",
                        options.file, motion_extensions(), room_extensions(),
                        listed(shipped_avatar_models()))};
  }
  if (auto fit = check_options_fit(*known->kind, options.file, options.reading, options.room);
      !fit) {
    return fit.error();
  }
  if (*known->kind == FileKind::kRoom) return describe_room(options);
  if (known->contents) return describe_motion(options, *known->contents);
  const auto contents = list_motions(options.file);
  if (!contents) return contents.error();
  return describe_motion(options, *contents);
}

}  // namespace

ExitStatus run_info(const InfoOptions& options) {
  const auto description = describe(options);
  if (!description) {
    print_error("tocsin info", description.error().message);
    return exit_status(description.error().code);
  }
  for (const std::string& warning : description->warnings) print_warning("tocsin info", warning);
  const Status status = base::write_to_standard_output(description->text);
  if (status) return kDone;
  print_error("tocsin info", status.error().message);
  return exit_status(status.error().code);
}

}  // namespace tocsin::app
