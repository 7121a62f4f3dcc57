#include "io/bvh/bvh_hierarchy.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <unordered_set>
#include <utility>

#include "io/pose_parts.h"

namespace tocsin::io {
namespace {

/// A block whose closing brace has not come yet.
struct OpenBlock {
  std::int32_t joint = 0;
  std::int64_t line = 0;  ///< where it was named
  bool end_site = false;
  bool has_offset = false;
  bool has_channels = false;
  bool has_child = false;
  int end_sites = 0;
};

class HierarchyReader {
 public:
  HierarchyReader(base::TextScanner& in, std::string_view file) : in_(in), file_(file) {}

  Result<BvhHierarchy> read() {
    at_bvh_end(in_);
    if (!in_.accept_word("HIERARCHY")) return fail("expected HIERARCHY, found " + in_.found());
    while (!done_ && !error_) statement();
    if (error_) return *error_;
    if (out_.joints.empty()) return fail("there is no ROOT before MOTION");
    if (out_.channels.empty()) return fail("no joint has a channel, so nothing can move");
    warn_about_names();
    return std::move(out_);
  }

 private:
  Error fail(std::string_view text) const { return base::input_error(file_, in_.line(), text); }
  void stop(std::string_view text) { error_ = fail(text); }
  void warn(std::int64_t line, std::string_view text) {
    out_.warnings.push_back(base::input_error(file_, line, text).message);
  }

  void statement() {
    at_bvh_end(in_);
    if (open_.empty()) {
      if (in_.accept_word("ROOT")) return joint(-1);
      if (in_.accept_word("MOTION")) {
        done_ = true;
        return;
      }
      return stop("expected ROOT or MOTION, found " + in_.found());
    }
    OpenBlock& block = open_.back();
    if (in_.accept_word("OFFSET")) return offset(block);
    if (in_.accept_word("CHANNELS")) return channels(block);
    if (in_.accept('}')) return close(block);
    if (!block.end_site && in_.accept_word("JOINT")) return joint(block.joint);
    if (!block.end_site && in_.accept_word("End")) return end_site(block);
    const char* const expected =
        block.end_site ? "OFFSET or }" : "OFFSET, CHANNELS, JOINT, End Site or }";
    stop(fmt::format("expected {} in joint {} (line {}), found {}", expected, name_of(block),
                     block.line, in_.found()));
  }

  std::string name_of(const OpenBlock& block) const {
    return base::in_quotes(out_.joints[static_cast<std::size_t>(block.joint)].name);
  }

  void joint(std::int32_t parent) {
    const std::int64_t line = in_.line();
    const std::string_view raw = in_.rest_of_line('{');
    if (raw.empty()) return stop("expected a joint's name, found " + in_.found());
    if (raw.size() > kMaxJointNameBytes) {
      return stop(fmt::format("the joint name {} is longer than {} bytes", base::in_quotes(raw),
                              kMaxJointNameBytes));
    }
    bool changed = false;
    std::string name = base::clean_name(raw, changed);
    if (changed && changed_names_++ == 0) first_changed_ = {raw, line};
    open(parent, line, std::move(name), false);
  }

  void end_site(OpenBlock& parent) {
    const std::int64_t line = in_.line();
    if (!in_.accept_word("Site")) return stop("expected End Site, found End " + in_.found());
    std::string name = out_.joints[static_cast<std::size_t>(parent.joint)].name + "_end";
    if (++parent.end_sites > 1) name += std::to_string(parent.end_sites);
    open(parent.joint, line, std::move(name), true);
  }

  void open(std::int32_t parent, std::int64_t line, std::string name, bool end_site) {
    if (out_.joints.size() == kMaxBvhJoints) {
      return stop(fmt::format("more than {} joints", kMaxBvhJoints));
    }
    at_bvh_end(in_);
    if (!in_.accept('{')) {
      return stop(
          fmt::format("expected {{ after joint {}, found {}", base::in_quotes(name), in_.found()));
    }
    if (!open_.empty()) open_.back().has_child = true;
    open_.push_back({.joint = static_cast<std::int32_t>(out_.joints.size()),
                     .line = line,
                     .end_site = end_site});
    out_.joints.push_back({std::move(name), parent, Transform{}});
  }

  void close(const OpenBlock& block) {
    if (!block.has_offset) {
      return stop(fmt::format("joint {} (line {}) has no OFFSET", name_of(block), block.line));
    }
    open_.pop_back();
  }

  void offset(OpenBlock& block) {
    if (block.has_offset) return stop(fmt::format("a second OFFSET in joint {}", name_of(block)));
    block.has_offset = true;
    std::array<double, 3> value{};
    for (double& v : value) {
      const std::optional<double> number = in_.number();
      if (!number) return stop("OFFSET: " + in_.number_problem());
      v = *number;
    }
    out_.joints[static_cast<std::size_t>(block.joint)].rest.translation = {value[0], value[1],
                                                                           value[2]};
  }

  // The announced count only says how many names follow; nothing is reserved for it.
  void channels(OpenBlock& block) {
    if (block.has_channels) return stop("a second CHANNELS in joint " + name_of(block));
    if (block.has_child) {
      return stop(fmt::format("CHANNELS of joint {} come after a child's", name_of(block)));
    }
    block.has_channels = true;
    const std::optional<std::int64_t> count = in_.count();
    if (!count) return stop("expected a number of channels, found " + in_.found());
    if (block.end_site && *count > 0) return stop("an End Site cannot have channels");
    std::array<bool, 3> has_position{};
    for (std::int64_t i = 0; i < *count; ++i) {
      const std::optional<BvhChannel> named = channel_name(in_.peek());
      if (!named) {
        return stop(
            fmt::format("expected {} channel names (Xposition, Zrotation, ...), found {} after {}",
                        *count, in_.found(), i));
      }
      if (!named->rotation && std::exchange(has_position[named->axis], true)) {
        return stop(fmt::format("{} is listed twice", base::in_quotes(in_.peek())));
      }
      in_.token();
      out_.channels.push_back({block.joint, named->rotation, named->axis});
    }
    // Without this an undercount would read as a strange keyword on the same line.
    if (!in_.at_line_end() && channel_name(in_.peek())) {
      stop(fmt::format("more channel names than the {} announced: {}", *count, in_.found()));
    }
  }

  static std::optional<BvhChannel> channel_name(std::string_view name) {
    if (name.size() < 2) return std::nullopt;
    const std::string_view axes = "XYZxyz";
    const std::size_t axis = axes.find(name.front());
    const bool rotation = base::same_ignoring_case(name.substr(1), "rotation");
    const bool position = base::same_ignoring_case(name.substr(1), "position");
    if (axis == std::string_view::npos || (!rotation && !position)) return std::nullopt;
    return BvhChannel{0, rotation, static_cast<std::uint8_t>(axis % 3)};
  }

  void warn_about_names() {
    if (changed_names_ > 0) {
      warn(first_changed_.second,
           fmt::format("{} joint names are not UTF-8 text, the first is {}", changed_names_,
                       base::in_quotes(first_changed_.first)));
    }
    // An avatar is bound by names, to the first joint that bears one.
    std::unordered_set<std::string_view> seen;
    std::size_t repeated = 0;
    std::string_view first;
    for (const Joint& each : out_.joints) {
      if (seen.insert(each.name).second) continue;
      if (repeated++ == 0) first = each.name;
    }
    if (repeated == 0) return;
    warn(in_.line(),
         fmt::format("{} joint names come more than once, the first is {}; a name means "
                     "the first joint that bears it",
                     repeated, base::in_quotes(first)));
  }

  base::TextScanner& in_;
  std::string_view file_;
  BvhHierarchy out_;
  std::vector<OpenBlock> open_;
  std::size_t changed_names_ = 0;                              ///< by base::clean_name
  std::pair<std::string_view, std::int64_t> first_changed_{};  ///< name, line
  std::optional<Error> error_;
  bool done_ = false;
};

}  // namespace

Result<BvhHierarchy> read_bvh_hierarchy(base::TextScanner& in, std::string_view file) {
  return HierarchyReader(in, file).read();
}

}  // namespace tocsin::io
