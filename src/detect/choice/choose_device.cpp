#include "detect/choice/choose_device.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "base/cache_file.h"
#include "detect/backends/cpu_backend.h"
#include "detect/backends/device_component.h"
#include "detect/choice/calibration.h"
#include "scene/room/fingerprint.h"
#include "tocsin/version.h"

namespace tocsin::detect {

namespace {

/// The CPU does work that takes it less by itself, seconds: opening a device and taking the room
/// there takes some tenths of a second. Less: opening it may cost more than a tenth of the work.
constexpr double kWorthOpening = 3.0;
/// How many steps tell how long the CPU will take.
constexpr std::size_t kForeseeingSteps = 64;

/// More than any calibration has.
constexpr std::uint64_t kMostBytes = 4096;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// True if a driver has left its mark on the machine. To ask the driver would take a hundred times
/// as long, and load it.
bool may_have_gpu() {
  constexpr std::array<const char*, 5> kMarks{"/dev/nvidiactl", "/dev/dri/renderD128",
                                              "/dev/dri/renderD129", "/dev/dxg",
                                              "/dev/nvhost-ctrl-gpu"};
  std::error_code ignored;
  for (const char* mark : kMarks) {
    if (std::filesystem::exists(mark, ignored)) return true;
  }
  return false;
}

/// A calibration's place in the tree cache.
class Memory {
 public:
  Memory(const ExactStep& exact, const RoomBackend& device, std::vector<std::string>& warnings)
      : folder_(exact.options().tree_cache),
        key_(fmt::format("{} {} ({}), {} threads, contacts {}, clearance {}, margin {}", kVersion,
                         device.name(), device.device(), tbb::this_task_arena::max_concurrency(),
                         static_cast<int>(exact.options().contacts), exact.options().clearance,
                         exact.options().margin)),
        warnings_(warnings) {
    for (char& c : key_) c = c == '\n' ? ' ' : c;
    if (folder_.empty()) return;
    const auto bytes = std::as_bytes(std::span(key_.data(), key_.size()));
    name_ = fmt::format("{:016x}-{:016x}.calibration", scene::fingerprint(exact.environment()),
                        scene::hash_bytes(bytes));
  }

  std::optional<Calibration> recall() {
    if (folder_.empty()) return std::nullopt;
    const base::CacheFile file = base::read_cache_file(folder_ / name_, kMostBytes);
    foreign_ = file.state == base::CacheFile::State::kForeign;
    if (file.state == base::CacheFile::State::kMissing) return std::nullopt;
    if (file.state != base::CacheFile::State::kRead) return refuse(file.cause);
    auto kept = calibration_from_text(file.bytes, key_);
    if (kept) return std::move(kept).value();
    return refuse(kept.error().message);
  }

  void keep(const Calibration& calibration) {
    if (folder_.empty() || foreign_) return;
    const std::string cause = base::write_cache_file(folder_, name_, to_text(calibration, key_));
    if (!cause.empty()) warn("cannot be written: " + cause);
  }

 private:
  std::nullopt_t refuse(const std::string& cause) {
    warn(cause + "; the device was measured anew");
    return std::nullopt;
  }
  void warn(const std::string& cause) {
    warnings_.push_back(fmt::format("{}: {}", (folder_ / name_).string(), cause));
  }

  std::filesystem::path folder_;
  std::string key_;
  std::string name_;
  std::vector<std::string>& warnings_;
  bool foreign_ = false;  ///< what lies here is not ours to replace
};

class Choosing {
 public:
  explicit Choosing(const std::shared_ptr<const ExactStep>& exact) : exact_(exact), cpu_(exact) {}

  Result<DeviceChoice> run() {
    if (std::string why = why_not_to_look(); !why.empty()) return by_cpu(std::move(why));
    for (const Backend backend : {Backend::kCuda, Backend::kGl}) {
      // Emulated, there is CUDA alone.
      if (backend == Backend::kGl && exact_->options().experiments.emulate) break;
      if (const Status tried = consider(backend); !tried) return tried.error();
      if (choice_.device) return std::move(choice_);
    }
    return by_cpu(std::move(why_));
  }

 private:
  /// Why no device is opened; empty: one may be worth it.
  std::string why_not_to_look() {
    if (exact_->environment().triangles().empty()) return "the room is empty";
    const DetectorOptions& options = exact_->options();
    if (!options.experiments.emulate && !may_have_gpu()) return "there is no GPU";
    if (options.expected_steps == 0) return {};
    const SampleSteps sample(exact_->environment(), kForeseeingSteps);
    const auto questions = sample.questions(sample.steps().size());
    if (questions.empty()) return "the room lies too far out to try";
    std::vector<StepReport> reports(questions.size());
    const double begin = now();
    static_cast<void>(cpu_.check(questions, questions.size(), {false, true, {}}, reports));
    const double all = (now() - begin) / static_cast<double>(questions.size()) *
                       static_cast<double>(options.expected_steps);
    if (all >= kWorthOpening) return {};
    return fmt::format("the CPU needs some {:.1g} s for all, about what it takes to open a GPU",
                       all);
  }

  /// Takes the device if it is worth it, else notes why not. Errors: kUsage.
  Status consider(Backend backend) {
    const DeviceComponent* const component = find_component(backend);
    auto opened =
        component == nullptr ? DeviceBackend::Made(not_linked(backend)) : component->open(exact_);
    if (!opened) {
      if (opened.error().code == ErrorCode::kUsage) return opened.error();
      note(opened.error().message);
      return Nothing{};
    }
    const DeviceBackend& device = **opened;
    const std::string name = fmt::format("{} ({})", device.name(), device.device());
    if (const auto failed = device.failure()) {
      note(fmt::format("{} failed: {}", name, failed->message));
      return Nothing{};
    }
    Memory memory(*exact_, device, choice_.warnings);
    std::optional<Calibration> calibration = memory.recall();
    if (!calibration) {
      const SampleSteps sample(exact_->environment(), kMostMeasured);
      auto measured = calibrate(cpu_, device, sample, now);
      if (!measured) {
        doubt(name, measured.error());
        return Nothing{};
      }
      calibration = std::move(measured).value();
      memory.keep(*calibration);
    }
    judge(name, *calibration, std::move(opened).value());
    return Nothing{};
  }

  void judge(const std::string& name, const Calibration& calibration,
             std::shared_ptr<const DeviceBackend> device) {
    const std::string words = fmt::format("{}: {}", name, calibration.in_words());
    choice_.least_batch = calibration.least_batch();
    if (choice_.least_batch == kNeverAsked) {
      note(words);
      return;
    }
    choice_.why = words;
    if (choice_.least_batch > 1) {
      choice_.why += fmt::format("; fewer than {} at once the CPU checks", choice_.least_batch);
    }
    choice_.device = std::move(device);
  }

  void doubt(const std::string& name, const Error& error) {
    const std::string why = fmt::format("{} is not used: {}", name, error.message);
    note(why);
    // Where it is named, it may give wrong answers: the warning must be seen.
    if (error.code == ErrorCode::kInput) {
      choice_.warnings.push_back(why + " on sample steps; run tocsin selftest");
    }
  }

  void note(const std::string& why) { why_ += (why_.empty() ? "" : "; ") + why; }

  DeviceChoice by_cpu(std::string why) {
    choice_.why = std::move(why);
    choice_.least_batch = 0;
    return std::move(choice_);
  }

  std::shared_ptr<const ExactStep> exact_;
  CpuBackend cpu_;
  DeviceChoice choice_;
  std::string why_;  ///< why no device was taken so far
};

}  // namespace

Result<DeviceChoice> choose_device(const std::shared_ptr<const ExactStep>& exact) {
  return Choosing(exact).run();
}

}  // namespace tocsin::detect
