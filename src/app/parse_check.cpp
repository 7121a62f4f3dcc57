// The arguments of `tocsin check`.
#include "app/check_arguments.h"
#include "app/parse_command.h"

namespace tocsin::app {
namespace {

constexpr const char* kExamples = R"(Examples:
  A table of what is touched, when and where, all moments between the frames included:
    tocsin check take.bvh --env house.obj

  From frame 1 on (frame 0 is a reference pose), the performer moved into the kitchen:
    tocsin check take.bvh --env house.obj --frames 1: --place 5.4,0.03,-4

  In a script: a report for programs, feet on the floor are fine, status 1 if anything else is touched:
    tocsin check take.bvh --env house.obj --ignore '*foot:Floor*' --out report.jsonl --fail-on-contact

  A take of the CMU database: its skeleton 01.asf lies beside it:
    tocsin check 01_01.amc --env house.obj

  One of several animations, by a body of another size than the model's:
    tocsin check dancers.glb --clip Jump --scale-radii auto --env house.glb

  How far everything stays away, at least, with two centimetres added to every link:
    tocsin check take.bvh --env house.obj --margin 0.02 --clearance

Exit status: 0 done; 1 contact found under --fail-on-contact; 2 wrong usage, or a backend that is not
available; 3 an input was refused; 4 could not finish (disk full, memory, interrupted).
)";

class CheckParser final : public CommandParser {
 public:
  explicit CheckParser(CLI::App& tocsin)
      : CommandParser(tocsin, "check", "Find what a take touches in a room", kExamples) {
    arguments_.add_inputs(app());
    arguments_.add_question(app());
    arguments_.add_backend(app());
    arguments_.add_running(app());
    arguments_.add_report(app());
  }
  [[nodiscard]] Command command() const override { return arguments_.resolve(app()); }

 private:
  CheckArguments arguments_;
};

}  // namespace

std::unique_ptr<CommandParser> check_parser(CLI::App& tocsin) {
  return std::make_unique<CheckParser>(tocsin);
}

}  // namespace tocsin::app
