// The arguments of `tocsin selftest`.
#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"

namespace tocsin::app {
namespace {

constexpr double kLongestTest = 86'400.0;  // a day

constexpr const char* kSelftestExamples = R"(Examples:
  Is this machine right, and how much does it carry? A minute:
    tocsin selftest
  A GPU server's device, thoroughly, and both of its devices:
    tocsin selftest --backend cuda --seconds 600
    tocsin selftest --backend cuda --cuda-device 0,1
  What a CUDA device would be asked, on the processor:
    tocsin selftest --backend cuda --emulate --seconds 20
  For a program:
    tocsin selftest --json selftest.json
  One case again, by its number (--verbose shows them):
    tocsin selftest --backend gl --case 4

Another OpenGL device: TOCSIN_GL_DEVICE (tocsin devices lists them).

Exit status: 0 all as it must be; 1 something differs from the CPU, or the oracle refutes a contact: the
smallest case was written and can be run alone; 2 wrong usage, or a backend that was named does not work
here; 4 could not finish: interrupted, a device that failed.
)";

class SelftestParser final : public CommandParser {
 public:
  explicit SelftestParser(CLI::App& tocsin)
      : CommandParser(tocsin, "selftest",
                      "Compare every backend with the CPU on generated cases, and measure what the "
                      "machine carries",
                      kSelftestExamples) {
    CLI::App& a = app();
    add_text(a, "--backend", backend_, "cpu|gl|cuda|all",
             "What is tested; all: what works here, and the rest is listed with the reason (all)");
    a.add_flag("--emulate", emulate_,
               "CUDA's kernels run on the processor: what a device would answer, not how fast");
    add_text(a, option::kCudaDevice, cuda_device_);
    add_text(a, "--seconds", seconds_, "S",
             "For everything, but at least a case and a row of each backend: more time compares "
             "more cases, and measures more avatars (60)");
    add_text(a, "--case", case_, "N", "Only the case of this number; nothing is measured");
    a.add_flag("--verbose", verbose_,
               "A row for each case, with its hash, beside a row for each kind");
    add_text(a, "--json", json_, "FILE",
             "Writes the result as JSON as well; -: to standard output, instead of the tables");
    add_text(a, "--failed", failed_, "DIR",
             "Where the smallest cases that differ are written (selftest-failed)");
  }

  [[nodiscard]] Command command() const override {
    refuse_empty(app(),
                 {"--backend", "--seconds", "--case", "--json", "--failed", "--cuda-device"});
    SelftestOptions out;
    out.emulate = emulate_;
    out.backend = backend();
    out.cuda_devices = parse_cuda_devices(cuda_device_);
    if (!out.cuda_devices.empty() && out.backend && *out.backend != Backend::kCuda) {
      throw UsageError{
          fmt::format("--cuda-device: goes with --backend cuda or all, not {}", backend_)};
    }
    out.seconds = parse_number_in("--seconds", seconds_, 1.0, kLongestTest, "from 1 to 86,400");
    if (!case_.empty())
      out.only = static_cast<std::size_t>(parse_whole("--case", case_, 0, kMostCase));
    out.verbose = verbose_;
    out.json = json_;
    out.failed = failed_;
    return out;
  }

 private:
  static constexpr std::int64_t kMostCase = 1'000'000;

  [[nodiscard]] std::optional<Backend> backend() const {
    if (backend_ == "all") return std::nullopt;
    const auto named = io::value_named<Backend>(backend_);
    if (!named || *named == Backend::kAuto) {
      throw UsageError{fmt::format("--backend: expected cpu, gl, cuda or all, found \"{}\"",
                                   base::printable(backend_))};
    }
    if (emulate_ && *named != Backend::kCuda) {
      throw UsageError{fmt::format("--emulate: goes with --backend cuda or all, not {}", backend_)};
    }
    return named;
  }

  std::string backend_ = "all";
  bool emulate_ = false;
  std::string cuda_device_;
  std::string seconds_ = "60";
  std::string case_;
  bool verbose_ = false;
  std::string json_;
  std::string failed_ = "selftest-failed";
};

}  // namespace

std::unique_ptr<CommandParser> selftest_parser(CLI::App& tocsin) {
  return std::make_unique<SelftestParser>(tocsin);
}

}  // namespace tocsin::app
