// The arguments of `tocsin info`.
#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"

namespace tocsin::app {
namespace {

constexpr const char* kInfoExamples = R"(Examples:
  tocsin info take.bvh             joints, frames, rate, the unit guessed and why, height
  tocsin info take.bvh --tree      the same and the tree of joints
  tocsin info dancers.glb          clips and skeletons to choose from by --clip and --skin
  tocsin info house.obj --all      objects, triangles, bounds, open and non-manifold edges
  tocsin info humanoid16           an avatar model's links
  tocsin info house.obj --json     for programs

Exit status: 0 done; 2 wrong usage; 3 an input was refused; 4 could not finish (disk full, memory).
)";

class InfoParser final : public CommandParser {
 public:
  explicit InfoParser(CLI::App& tocsin)
      : CommandParser(tocsin, "info", "Describe a take, a room or an avatar model", kInfoExamples) {
    CLI::App& a = app();
    a.add_option("FILE", options_.file, "A take, a room, or an avatar model (file or name)")
        ->type_name("FILE")
        ->required();
    a.add_flag("--tree", options_.tree, "Show the tree of joints");
    a.add_flag(option::kAll.name, options_.all, option::kAll.text);
    a.add_flag("--json", options_.json, "One JSON object, for programs");
    reading_.add(a, "a motion if it holds one");
  }
  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"FILE"});
    InfoOptions o = options_;
    reading_.resolve(app(), o);
    return o;
  }

 private:
  InfoOptions options_;
  ReadingArguments reading_;
};

}  // namespace

std::unique_ptr<CommandParser> info_parser(CLI::App& tocsin) {
  return std::make_unique<InfoParser>(tocsin);
}

}  // namespace tocsin::app
