// The arguments of `tocsin validate`.
#include <algorithm>

#include "app/check/check_arguments.h"
#include "app/cli/parse_command.h"

namespace tocsin::app {
namespace {

constexpr std::size_t kMostSizes = 16;  // each is a run over all steps

constexpr const char* kValidateExamples = R"(Examples:
  Do all backends of this machine find the same contacts? Status 1 if not:
    tocsin validate take.bvh --env house.obj

  OpenGL and the CPU, and how good the answer in image space is, by resolution:
    tocsin validate take.bvh --env house.obj --backends cpu,gl --gl-sizes 32x32,64x64,256x256

  CUDA as well, without a CUDA device:
    tocsin validate take.bvh --env house.obj --backends cpu,gl,cuda --emulate

  Two takes that meet, each of them with itself as well:
    tocsin validate a.bvh b.bvh --env hall.obj --place 0,0,0 --place 0.8,0,0,180 --self

  A mesh in a hand, on all backends:
    tocsin validate take.bvh --env house.obj --hold RightHand=sword.obj

  How many contacts would the method of 2004 have missed, on its own surfaces?
    tocsin validate take.bvh --env house.obj --surface paper

  For a program, every tenth frame:
    tocsin validate take.bvh --env house.obj --frames ::10 --out validation.json

Exit status: 0 all as it must be; 1 a backend differs from the CPU, or something that image space calls
free is not (--surface paper promises nothing: what it misses is counted, not judged); 2 wrong usage, or
a backend that was named is not available; 3 an input was refused; 4 could not finish.
)";

/// The values of a list, each by `read`; no value twice.
template <class Read>
auto parse_list(std::string_view option, const std::string& text, const Read& read) {
  std::vector<decltype(read(std::string()))> out;
  for (const std::string_view part : split(text, ',')) {
    const auto value = read(std::string(part));
    if (std::find(out.begin(), out.end(), value) != out.end()) {
      throw UsageError{fmt::format("{}: {} is there twice", option, base::printable(part))};
    }
    out.push_back(value);
  }
  return out;
}

Backend parse_backend(const std::string& text) {
  constexpr std::string_view kOption = "--backends";
  const auto backend = io::value_named<Backend>(text);
  if (backend && *backend != Backend::kAuto) return *backend;
  throw UsageError{fmt::format("{}: expected a list of cpu, gl, cuda, found \"{}\"", kOption,
                               base::printable(text))};
}

class ValidateParser final : public CommandParser {
 public:
  explicit ValidateParser(CLI::App& tocsin)
      : CommandParser(tocsin, "validate",
                      "Compare the answers of all backends about one take, or several",
                      kValidateExamples) {
    CLI::App& a = app();
    question_.add_inputs(a);
    question_.add_bodies(a);
    question_.add_question(a, option::kSurfaceObject);
    question_.add_meeting(a);
    constexpr const char* kGroup = "What is compared";
    add_text(a, "--backends", backends_, "LIST",
             "Of cpu, gl, cuda; the CPU always runs, as the others are compared with it (all that "
             "are available here)",
             kGroup);
    add_text(a, "--gl-sizes", sizes_, "WxH,...",
             "Pixels of a view at which the answer of image space is measured (that of --gl-size); "
             "not with several takes, --self or meshes, of which image space knows nothing",
             kGroup);
    add_text(a, "--surface", surface_, "skin|paper",
             "What is drawn for the answer of image space: closed skins that miss nothing, or the "
             "swept surface of 2004 at pixel centres, to count what it misses (skin)",
             kGroup);
    question_.add_running(a);
    question_.add_cuda(a);
    question_.add_output(a, "the result as JSON", "tables for people");
  }

  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"--backends", "--gl-sizes", "--out"});
    ValidateOptions o;
    o.check = question_.resolve(app());
    o.check.backend = Backend::kCpu;  // the one that the others are compared with
    o.check.experiments.surface = parse_name<GlSurface>("--surface", surface_);
    o.sizes = sizes(o.check);
    choose(o);
    return o;
  }

 private:
  [[nodiscard]] std::vector<std::pair<int, int>> sizes(const CheckOptions& check) const {
    const bool holds = std::any_of(check.takes.begin(), check.takes.end(),
                                   [](const Take& take) { return !take.avatar.hold.empty(); });
    if (check.spec.self || check.several() || holds) {
      const char* const asks_for_it = !sizes_.empty() ? "--gl-sizes"
                                      : check.experiments.surface == GlSurface::kPaper
                                          ? "--surface paper"
                                          : nullptr;
      if (asks_for_it == nullptr) return {};
      if (holds || !check.spec.bodies.empty()) {
        throw UsageError{
            fmt::format("{}: image space knows no meshes that move (--hold, --body)", asks_for_it)};
      }
      throw UsageError{fmt::format("{}: image space knows no pairs of links ({})", asks_for_it,
                                   check.spec.self ? "--self" : "several takes")};
    }
    if (sizes_.empty()) return {{check.gl.width, check.gl.height}};
    auto out = parse_list("--gl-sizes", sizes_, [](const std::string& text) {
      return parse_size("--gl-sizes", text, kLeastViewSize, kMostViewSize);
    });
    if (out.size() <= kMostSizes) return out;
    throw UsageError{fmt::format("--gl-sizes: at most {} sizes, found {}", kMostSizes, out.size())};
  }

  /// Sets the backends. An option that only one backend has names that backend.
  void choose(ValidateOptions& o) const {
    const char* const asks_for_gl = o.check.experiments.surface == GlSurface::kPaper
                                        ? "--surface paper"
                                    : !sizes_.empty()   ? "--gl-sizes"
                                    : o.check.gl.device ? "--gl-device"
                                                        : nullptr;
    const char* const asks_for_cuda = o.check.experiments.emulate     ? "--emulate"
                                      : !o.check.cuda.devices.empty() ? "--cuda-device"
                                                                      : nullptr;
    o.others = backends_.empty();
    if (!o.others) o.backends = parse_list("--backends", backends_, parse_backend);
    name(Backend::kGl, asks_for_gl, o);
    name(Backend::kCuda, asks_for_cuda, o);
  }

  /// `option`, if any, asks for the backend.
  static void name(Backend backend, const char* option, ValidateOptions& o) {
    if (option == nullptr) return;
    if (o.others) {
      o.backends.push_back(backend);
    } else if (std::find(o.backends.begin(), o.backends.end(), backend) == o.backends.end()) {
      throw UsageError{fmt::format("{}: needs {} among --backends", option, io::name_of(backend))};
    }
  }

  CheckArguments question_{/*several=*/true};
  std::string backends_;
  std::string sizes_;
  std::string surface_ = "skin";
};

}  // namespace

std::unique_ptr<CommandParser> validate_parser(CLI::App& tocsin) {
  return std::make_unique<ValidateParser>(tocsin);
}

}  // namespace tocsin::app
