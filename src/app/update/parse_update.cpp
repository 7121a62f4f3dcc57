// The arguments of `tocsin update`.
#include <limits>

#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"
#include "app/cli/server_arguments.h"
#include "app/update/update.h"

namespace tocsin::app {
namespace {

constexpr const char* kUpdateExamples =
    R"(Edits, done in order, all of them or none; NAME is an object's name:
  add:NAME=FILE[@PLACE]      a new object: all of a file of any room format; also =like:OBJECT (that
                             object's mesh) and =loaded:SHAPE (one that the server has loaded)
  replace:NAME=FILE          another mesh, where it stands
  remove:NAME
  place:NAME@PLACE           a jump; PLACE is x,y,z[,qw,qx,qy,qz[,scale]], metres
  move:NAME@x,y,z[,qw,qx,qy,qz]      checked on its way, in the next step of every session
  deform:NAME=FILE[@PLACE]   its corners go to those of the file, and it to the place, and are checked
  deform:NAME@PLACE          it goes there, or to another scale, each corner on a straight line
  activate:NAME  deactivate:NAME
  activate_pair:A=B  deactivate_pair:A=B  activate_pairs:PATTERN  deactivate_pairs:PATTERN
  add_switch:SWITCH  set_switch:NAME=SWITCH  clear_switch:NAME  choose:SWITCH=NAME
  choose_none:SWITCH

Examples:
  A room that can be changed, from a file of this machine; sessions enter it with send --env hall:
    tocsin update hall --to localhost:50051 --upload hall.obj

  A crate comes, and another one like it; a session may be in the room meanwhile:
    tocsin update hall add:crate=crate.obj@0,0.5,-2 add:crate2=like:crate@0,1.5,-2 \
      --to localhost:50051

  It moves, and is checked on its way; hands may touch it from now on:
    tocsin update hall move:crate@1,0.5,-2 'deactivate_pairs:*hand:crate*' --to localhost:50051

  A door that is open or shut:
    tocsin update hall add:open=open.obj add:shut=shut.obj add_switch:door set_switch:open=door \
      set_switch:shut=door choose:door=open --to localhost:50051

  The room goes; sessions in it continue:
    tocsin update hall --unload --to localhost:50051

Exit status: 0 done; 2 wrong usage; 3 an input was refused, here or by the server; 4 could not finish
(no server).
)";

class UpdateParser final : public CommandParser {
 public:
  explicit UpdateParser(CLI::App& tocsin)
      : CommandParser(tocsin, "update", "Change a room of a server while sessions are in it",
                      kUpdateExamples) {
    CLI::App& a = app();
    a.add_option("ROOM", room_, "The room's name on the server; it is the client's own")
        ->required();
    a.add_option("EDIT", edits_, "What changes (nothing)");
    add_text(a, "--upload", upload_, "FILE",
             "First upload this file as the room, to be changed (the room is there)");
    a.add_flag("--shared", shared_, "With --upload: the principal's group may enter it, too");
    a.add_flag("--unload", unload_, "In the end unload the room; sessions in it continue");
    add_text(a, "--expect", expected_, "VERSION",
             "Refuse the change if the room has another version (any)");
    server_.add_target(a);
    server_.add_credentials(a);
  }

  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"--to", "--token-file", "--tls-ca", "--tls-cert", "--tls-key", "--upload",
                         "--expect"});
    UpdateOptions o;
    o.connection = server_.connection();
    o.token_file = server_.token_file();
    o.room = room_;
    for (const std::string& edit : edits_) o.edits.push_back(parse_edit(edit));
    o.upload = upload_;
    o.shared = shared_;
    o.unload = unload_;
    if (!expected_.empty()) {
      o.expected = static_cast<std::uint64_t>(
          parse_whole("--expect", expected_, 0, std::numeric_limits<std::int64_t>::max()));
    }
    if (o.edits.empty() && o.upload.empty() && !o.unload) {
      throw UsageError{"nothing is asked for: give edits, --upload or --unload"};
    }
    if (o.shared && o.upload.empty()) throw UsageError{"--shared: is for a room of --upload"};
    return o;
  }

 private:
  ServerArguments server_;
  std::string room_;
  std::vector<std::string> edits_;
  std::string upload_;
  std::string expected_;
  bool shared_ = false;
  bool unload_ = false;
};

}  // namespace

std::unique_ptr<CommandParser> update_parser(CLI::App& tocsin) {
  return std::make_unique<UpdateParser>(tocsin);
}

}  // namespace tocsin::app
