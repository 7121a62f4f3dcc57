// The arguments of `tocsin check`.
#include "app/check/check_arguments.h"
#include "app/cli/parse_command.h"

namespace tocsin::app {
namespace {

constexpr const char* kCheckExamples = R"(Examples:
  A table of what is touched, when and where, all moments between the frames included:
    tocsin check take.bvh --env house.obj

  From frame 1 on (frame 0 is a reference pose), the performer moved into the kitchen:
    tocsin check take.bvh --env house.obj --frames 1: --place 5.4,0.03,-4

  In a script: a JSON report; feet may touch the floor; status 1 if anything else is touched:
    tocsin check take.bvh --env house.obj --ignore '*foot:Floor*' --out report.jsonl --fail-on-contact

  A take of the CMU database: its skeleton 01.asf lies beside it:
    tocsin check 01_01.amc --env house.obj

  One of several animations, by a body of another size than the model's:
    tocsin check dancers.glb --clip Jump --scale-radii auto --env house.glb

  How far everything stays away, at least, with two centimetres added to every link:
    tocsin check take.bvh --env house.obj --margin 0.02 --clearance

  Two performers that were recorded together, both moved into the hall; what touches what:
    tocsin check 18_01.amc 19_01.amc --env hall.obj --place 5,0,-4

  Two takes of any rate and length, each on its own spot, the second half a second later:
    tocsin check a.bvh b.glb --env hall.obj --place 0,0,0 --place 0.8,0,0,180 --start 0 --start 0.5

  Two takes, of which only the second is read at 60 Hz; auto means: as if the option were not given:
    tocsin check a.bvh 02_01.amc --env hall.obj --rate auto --rate 60

  The avatar against itself as well; its hands may touch its thighs:
    tocsin check take.bvh --env house.obj --self --ignore '*hand:*thigh'

  The same without the links that overlap in the rest pose, as neighbouring fingers may:
    tocsin check take.bvh --env house.obj --self --ignore-rest

  On a GPU with CUDA; and the same code on the CPU, where there is none:
    tocsin check take.bvh --env house.obj --backend cuda
    tocsin check take.bvh --env house.obj --backend cuda --emulate

  On two CUDA devices, which share the steps:
    tocsin check take.bvh --env house.obj --backend cuda --cuda-device 0,1

Exit status: 0 done; 1 contact found under --fail-on-contact; 2 wrong usage, or a backend that is not
available; 3 an input was refused; 4 could not finish (disk full, memory, interrupted).
)";

class CheckParser final : public CommandParser {
 public:
  explicit CheckParser(CLI::App& tocsin)
      : CommandParser(tocsin, "check", "Find what takes touch in a room, and each other",
                      kCheckExamples) {
    arguments_.add_inputs(app());
    arguments_.add_question(app(), /*with_self=*/true);
    arguments_.add_meeting(app());
    arguments_.add_backend(app());
    arguments_.add_running(app());
    arguments_.add_cuda(app());
    arguments_.add_output(app(), "a report, JSON lines,", "a table for people");
    arguments_.add_fail_on_contact(app());
  }
  [[nodiscard]] Command command() const override { return arguments_.resolve(app()); }

 private:
  CheckArguments arguments_{/*several=*/true};
};

}  // namespace

std::unique_ptr<CommandParser> check_parser(CLI::App& tocsin) {
  return std::make_unique<CheckParser>(tocsin);
}

}  // namespace tocsin::app
