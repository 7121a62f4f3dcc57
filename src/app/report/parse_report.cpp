// The arguments of `tocsin report`.
#include "app/cli/file_kind.h"
#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"
#include "app/report/report_options.h"

namespace tocsin::app {
namespace {

constexpr const char* kReportExamples = R"(Examples:
  tocsin report report.jsonl --html contacts.html      one file, for any browser
  tocsin report shoot/*.jsonl --html index.html    an index, and a page each beside it
  tocsin report report.jsonl --html small.html --no-3d

A page loads nothing from elsewhere. It holds the report's numbers and, but for --no-3d, the
motion and the part of the room that is near it. The files that a report names must be there, and
unchanged (sha256).

Exit status: 0 done; 2 wrong usage; 3 a report or an input was refused; 4 could not finish (disk
full, memory, interrupted). But for 0, nothing is written.
)";

// As many files are open at once.
constexpr std::size_t kMostReports = 500;

class ReportParser final : public CommandParser {
 public:
  explicit ReportParser(CLI::App& tocsin)
      : CommandParser(tocsin, "report", "Show reports as pages for a browser", kReportExamples) {
    CLI::App& a = app();
    a.add_option("REPORT", options_.reports,
                 "Reports that `tocsin check --out` or `tocsin serve --record` wrote")
        ->type_name("FILE")
        ->required();
    add_text(a, "--html", options_.html, "FILE", "The page; of several reports, their index")
        ->required();
    a.add_flag("--no-3d", no_scene_, "Without the 3D view: a small page without motion and room");
  }
  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"REPORT", "--html"});
    ReportOptions o = options_;
    if (!has_extension(o.html, {".html", ".htm"})) {
      throw UsageError{
          fmt::format("--html: a page is written to .html, not to {}", base::printable(o.html))};
    }
    if (o.reports.size() > kMostReports) {
      throw UsageError{fmt::format("REPORT: {} of them; at most {} have one index",
                                   o.reports.size(), kMostReports)};
    }
    o.scene = !no_scene_;
    return o;
  }

 private:
  ReportOptions options_;
  bool no_scene_ = false;
};

}  // namespace

std::unique_ptr<CommandParser> report_parser(CLI::App& tocsin) {
  return std::make_unique<ReportParser>(tocsin);
}

}  // namespace tocsin::app
