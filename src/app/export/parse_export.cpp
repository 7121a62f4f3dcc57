// The arguments of `tocsin export`.
#include "app/cli/file_kind.h"
#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"

namespace tocsin::app {
namespace {

constexpr const char* kExportExamples = R"(Examples:
  tocsin export report.jsonl contacts.glb              for Blender, Unity, any glTF viewer
  tocsin export report.jsonl contacts.usda --no-room   for USD, without the room
  tocsin export report.jsonl contacts.glb --substeps 8
  tocsin export report.jsonl contacts.csv              episodes, for a spreadsheet

The files that the report names must be there, and unchanged (sha256). Between two poses other
programs turn and move each joint at constant velocity; --substeps N has N poses of the proved
motion in every step.

Exit status: 0 done; 2 wrong usage; 3 the report or an input was refused; 4 could not finish (disk
full, memory).
)";

class ExportParser final : public CommandParser {
 public:
  explicit ExportParser(CLI::App& tocsin)
      : CommandParser(tocsin, "export",
                      "Write what a report shows for other programs: .glb, .usda, .csv",
                      kExportExamples) {
    CLI::App& a = app();
    a.add_option("REPORT", options_.report,
                 "A report that `tocsin check --out` or `tocsin serve --record` wrote")
        ->type_name("FILE")
        ->required();
    a.add_option("OUT", options_.output, "The file: .glb, .usda or .csv")
        ->type_name("FILE")
        ->required();
    a.add_flag("--no-room", no_room_, "Avatars, bodies and contacts only");
    add_text(a, "--substeps", substeps_, "N",
             "Poses of the proved motion in every step, 1 to 64 (1: where steps begin)");
  }
  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"REPORT", "OUT", "--substeps"});
    ExportOptions o = options_;
    if (!has_extension(o.output, {".glb", ".usda", ".csv"})) {
      throw UsageError{fmt::format("OUT: a report is written to .glb, .usda or .csv, not to {}",
                                   base::printable(o.output))};
    }
    o.room = !no_room_;
    if (!substeps_.empty()) o.substeps = parse_whole("--substeps", substeps_, 1, kMostSubsteps);
    if (has_extension(o.output, {".csv"}) && (no_room_ || !substeps_.empty())) {
      throw UsageError{"--no-room and --substeps: go with .glb and .usda; a .csv has episodes"};
    }
    return o;
  }

 private:
  ExportOptions options_;
  std::string substeps_;
  bool no_room_ = false;
};

}  // namespace

std::unique_ptr<CommandParser> export_parser(CLI::App& tocsin) {
  return std::make_unique<ExportParser>(tocsin);
}

}  // namespace tocsin::app
