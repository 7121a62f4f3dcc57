// Writes a take or a room that a command made, with a message.
#pragma once

#include <string>
#include <string_view>

#include "app/cli/exit_status.h"
#include "app/cli/options.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::app {

/// An error (kUsage) if a file of that extension cannot be written: said before the work is done.
Status check_output_format(FileKind kind, const std::string& file);

/// Writes the file and one line about it to standard output.
ExitStatus save_and_tell(std::string_view command, const Motion& motion, const std::string& file);
ExitStatus save_and_tell(std::string_view command, const Environment& room,
                         const std::string& file);

/// The same for a text.
ExitStatus save_text_and_tell(std::string_view command, std::string_view text,
                              const std::string& file);

/// One line about a file that was written to standard output: "out.glb: WHAT, 5.5 MB".
ExitStatus tell_saved(std::string_view command, const std::string& file, const std::string& what);

/// Shows the error; its exit status.
ExitStatus report_failure(std::string_view command, const Error& error);

}  // namespace tocsin::app
