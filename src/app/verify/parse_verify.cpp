// The arguments of `tocsin verify`.
#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"

namespace tocsin::app {
namespace {

constexpr const char* kVerifyExamples = R"(Examples:
  tocsin verify report.jsonl                     every step: slow, and thorough
  tocsin verify report.jsonl --fraction 0.01     one step in a hundred
  tocsin verify records/*.jsonl                  all that a server kept, one after the other
  tocsin verify records/NAME.poses               what a session covered before its server ended

Exit status: 0 confirmed; 1 a difference was found; 2 wrong usage; 3 the report or an input was refused (a
file that is not the one the report was made from); 4 could not finish. Of several reports, the highest.
)";

class VerifyParser final : public CommandParser {
 public:
  explicit VerifyParser(CLI::App& tocsin)
      : CommandParser(tocsin, "verify",
                      "Check reports again, and confirm them by a second implementation",
                      kVerifyExamples) {
    CLI::App& a = app();
    a.add_option("REPORT", options_.reports,
                 "Reports that `tocsin check --out` or `tocsin serve --record` wrote, or a "
                 "session's record without one (.poses)")
        ->type_name("FILE")
        ->required();
    add_text(a, "--fraction", fraction_, "F",
             "Share of the steps that the second implementation confirms (1)");
    add_seed(a, seed_, "which steps, if not all");
    add_text(a, option::kThreads, threads_);
  }
  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"REPORT", "--threads"});
    VerifyOptions o = options_;
    o.fraction = parse_number_in("--fraction", fraction_, kLeast, 1.0, "above 0, at most 1");
    o.seed = parse_seed("--seed", seed_);
    o.threads = parse_threads(threads_);
    return o;
  }

 private:
  VerifyOptions options_;
  std::string fraction_ = "1";
  std::string seed_ = "1";
  std::string threads_;
};

}  // namespace

std::unique_ptr<CommandParser> verify_parser(CLI::App& tocsin) {
  return std::make_unique<VerifyParser>(tocsin);
}

}  // namespace tocsin::app
