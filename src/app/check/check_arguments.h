// The arguments of `tocsin check`. Other commands share parts of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/parse_parts.h"

namespace tocsin::app {

/// Pixels across a view; GlOptions.
inline constexpr int kLeastViewSize = 8;
inline constexpr int kMostViewSize = 8192;

/// The options' values as text. Our own functions read them, and their messages name option and
/// cause. Every add_...() adds a group of options. Options that are not added keep their defaults.
class CheckArguments {
 public:
  /// several: MOTION may be given more than once; the options of a take, once for all or for each.
  explicit CheckArguments(bool several = false) : several_(several) {}

  /// MOTION, --env, --avatar, --scale-radii, and how they are read.
  void add_inputs(CLI::App& app);
  /// --place, --frames, --skip-rest, --in-between, --margin, --ignore, --surface, --contacts,
  /// --clearance, --sampled. `surface`: what --surface is called here.
  void add_question(CLI::App& app, const OptionText& surface = option::kSurface);
  /// --self, --ignore-rest.
  void add_own_links(CLI::App& app, const char* group);
  /// --self, --ignore-rest, --srdf, --start, --absent.
  void add_meeting(CLI::App& app);
  /// --hold, --body.
  void add_bodies(CLI::App& app);
  /// --near, --nearest.
  void add_near(CLI::App& app);
  /// --each: several takes do not meet.
  void add_each(CLI::App& app, const char* group);
  [[nodiscard]] bool each() const { return each_; }
  /// --backend, --no-certify.
  void add_backend(CLI::App& app);
  /// --tolerance, --threads, --tree-cache, --gl-device, --gl-size, --gl-method.
  void add_running(CLI::App& app);
  /// --emulate, --cuda-device.
  void add_cuda(CLI::App& app);
  /// --out, which writes `what`. `otherwise`: what the command shows without it.
  void add_output(CLI::App& app, const char* what, const char* otherwise);
  /// --fail-on-contact.
  void add_fail_on_contact(CLI::App& app);

  /// Throws UsageError.
  [[nodiscard]] CheckOptions resolve(const CLI::App& app) const;

 private:
  [[nodiscard]] std::size_t take_count() const { return several_ ? motions_.size() : 1; }
  [[nodiscard]] Take take(const CLI::App& app, std::size_t i) const;
  void resolve_bodies(CheckOptions& o) const;
  void resolve_near(CheckOptions& o) const;
  void resolve_meeting(const CLI::App& app, CheckOptions& o) const;
  void resolve_devices(const CLI::App& app, CheckOptions& o) const;

  bool several_;
  bool each_ = false;
  CheckOptions options_;
  std::vector<std::string> motions_;
  MotionArguments motion_;
  RoomArguments room_;
  PerTake avatar_{"auto"};
  PerTake scale_radii_{"none"};
  PerTake place_{"0,0,0,0"};
  PerTake frames_{":"};
  PerTake srdf_{"auto"};
  PerTake start_{"0"};
  std::vector<std::string> hold_;
  std::vector<std::string> bodies_;
  bool skip_rest_ = false;
  std::string absent_ = "gone";
  std::string in_between_ = "screw";
  std::string margin_ = "0";
  std::string near_;
  std::string nearest_;
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

/// Refuses options of a check, but for `but`, where they stand beside something else: `why` says
/// what. Throws UsageError.
void refuse_check_options(const CLI::App& app, const std::vector<std::string>& but,
                          const std::string& why);

/// Whether MOTION is a report instead of takes. Throws UsageError: takes without --env; a report
/// beside takes, or with options of a check, as it has its own.
bool names_report(const CLI::App& app, const CheckOptions& options);

}  // namespace tocsin::app
