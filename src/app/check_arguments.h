// The arguments that say what is checked and how: those of `tocsin check`, parts of which other
// commands share.
#pragma once

#include <string>

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
  /// MOTION, --env, --avatar, --scale-radii, and how they are read.
  void add_inputs(CLI::App& app);
  /// --place, --frames, --in-between, --margin, --ignore, --contacts, --clearance, --sampled.
  void add_question(CLI::App& app);
  /// --backend, --no-certify.
  void add_backend(CLI::App& app);
  /// --tolerance, --threads, --tree-cache, --gl-device, --gl-size, --gl-method.
  void add_running(CLI::App& app);
  /// --out, --fail-on-contact.
  void add_report(CLI::App& app);

  /// Throws UsageError.
  [[nodiscard]] CheckOptions resolve(const CLI::App& app) const;

 private:
  CheckOptions options_;
  MotionArguments motion_;
  RoomArguments room_;
  std::string scale_radii_ = "none";
  std::string place_ = "0,0,0,0";
  std::string frames_ = ":";
  std::string in_between_ = "screw";
  std::string margin_ = "0";
  std::string contacts_ = "pairs";
  std::string tolerance_ = "1e-9";
  std::string backend_ = "auto";
  std::string threads_;
  std::string out_;
  std::string gl_device_;
  std::string gl_size_ = "64x64";
  std::string gl_method_ = "flags";
  bool no_certify_ = false;
};

}  // namespace tocsin::app
