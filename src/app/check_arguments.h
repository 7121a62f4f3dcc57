// The arguments that say what is checked and how: those of `tocsin check`, parts of which other
// commands share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/options.h"
#include "app/parse_parts.h"

namespace tocsin::app {

/// Pixels across a view; GlOptions.
inline constexpr int kLeastViewSize = 8;
inline constexpr int kMostViewSize = 8192;

/// What the options said, as text; read by our own functions, whose messages name option and cause.
/// Every add_...() adds a group of options; what is not added keeps its default.
class CheckArguments {
 public:
  /// several: MOTION may be given more than once; the options of a take, once for all or for each.
  explicit CheckArguments(bool several = false) : several_(several) {}

  /// MOTION, --env, --avatar, --scale-radii, and how they are read.
  void add_inputs(CLI::App& app);
  /// --place, --frames, --in-between, --margin, --ignore, --contacts, --clearance, --sampled.
  void add_question(CLI::App& app);
  /// --self, --start, --absent.
  void add_meeting(CLI::App& app);
  /// --backend, --no-certify.
  void add_backend(CLI::App& app);
  /// --tolerance, --threads, --tree-cache, --gl-device, --gl-size, --gl-method.
  void add_running(CLI::App& app);
  /// --emulate, --cuda-device.
  void add_cuda(CLI::App& app);
  /// --out, --fail-on-contact.
  void add_report(CLI::App& app);

  /// Throws UsageError.
  [[nodiscard]] CheckOptions resolve(const CLI::App& app) const;

 private:
  [[nodiscard]] TakeOptions take(const CLI::App& app, std::size_t i) const;
  void resolve_meeting(const CLI::App& app, CheckOptions& o) const;
  void resolve_devices(const CLI::App& app, CheckOptions& o) const;

  bool several_;
  CheckOptions options_;
  std::vector<std::string> motions_;
  MotionArguments motion_;
  RoomArguments room_;
  PerTake avatar_{"auto"};
  PerTake scale_radii_{"none"};
  PerTake place_{"0,0,0,0"};
  PerTake frames_{":"};
  PerTake start_{"0"};
  std::string absent_ = "gone";
  std::string in_between_ = "screw";
  std::string margin_ = "0";
  std::string contacts_ = "pairs";
  std::string tolerance_ = "1e-9";
  std::string backend_ = "auto";
  std::string threads_;
  std::string out_;
  std::string gl_device_;
  std::string cuda_device_;
  std::string gl_size_ = "64x64";
  std::string gl_method_ = "flags";
  bool no_certify_ = false;
};

}  // namespace tocsin::app
