// `tocsin update`: changes a room of a server while sessions are in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/exit_status.h"
#include "tocsin/client.h"

namespace tocsin::app {

/// An edit, and the file that its mesh or its vertices are in.
struct UpdateEdit {
  SceneEdit edit;
  std::string file;  ///< empty: it needs none
};

struct UpdateOptions {
  ConnectionOptions connection;
  std::string token_file;  ///< whose first line is the token; empty: none
  std::string room;
  std::vector<UpdateEdit> edits;  ///< in order
  std::string upload;             ///< a file that the room is made of before; empty: it is there
  bool shared = false;            ///< with the principal's group
  bool unload = false;            ///< at the end
  std::optional<std::uint64_t> expected;
};

/// `VERB:...`, as the command's help says. Throws UsageError.
UpdateEdit parse_edit(const std::string& text);

/// Uploads, changes and unloads the room, as asked, and says what it is then.
ExitStatus run_update(const UpdateOptions& options);

}  // namespace tocsin::app
