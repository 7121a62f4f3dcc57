#include "app/serve/live_arguments.h"

#include <algorithm>
#include <chrono>

#include "app/cli/parse_parts.h"
#include "base/quoted.h"

namespace tocsin::app {
namespace {

using service::LiveProtocol;

constexpr const char* kMotionCapture = "Motion capture over UDP";
constexpr double kMostIdle = 3600.0;  // seconds
constexpr double kMostMargin = 10.0;  // metres, as of a session
constexpr double kMostUnit = 1000.0;  // metres
constexpr double kLeastUnit = 1e-6;

/// Reads the KEY=VALUE parts of one source.
class LiveParts {
 public:
  LiveParts(LiveArgument& out, const std::string& option) : out_(out), option_(option) {}

  void take(const std::string& part) {
    const std::size_t sign = part.find('=');
    const std::string key = part.substr(0, sign);
    if (sign == std::string::npos || sign + 1 == part.size()) {
      throw UsageError{
          fmt::format("{}: expected KEY=VALUE, found {}", option_, base::in_quotes(part))};
    }
    const std::string value = part.substr(sign + 1);
    if (!of_all(key, value) && !of_xsens(key, value)) {
      throw UsageError{fmt::format(
          "{}: there is no key {}; keys are avatar, from, idle, ignore, lookahead, margin, "
          "meet, place, {}",
          option_, base::in_quotes(key),
          out_.options.protocol == LiveProtocol::kXsens ? "unit, up" : "skeleton")};
    }
  }

 private:
  bool of_all(const std::string& key, const std::string& value) {
    TrackOptions& track = out_.options.track;
    const std::string named = option_ + ", " + key;
    if (key == "avatar") {
      out_.avatar = value;
    } else if (key == "skeleton" && out_.options.protocol != LiveProtocol::kXsens) {
      out_.skeleton = value;
    } else if (key == "from") {
      const auto range = service::parse_sender(value);
      if (!range) throw UsageError{named + ": " + range.error().message};
      out_.options.from.push_back(*range);
    } else if (key == "idle") {
      const double seconds =
          parse_number_in(named, value, kLeast, kMostIdle, "above 0, at most 3600 (seconds)");
      out_.options.idle = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3) + 1);
    } else if (key == "ignore") {
      track.spec.ignore.push_back(value);
    } else if (key == "lookahead") {
      track.lookahead = parse_lookahead(named, value);
    } else if (key == "margin") {
      track.spec.margin = parse_number_in(named, value, 0.0, kMostMargin, "from 0 to 10 (metres)");
    } else if (key == "meet") {
      if (value != "yes" && value != "no") throw UsageError{named + ": expected yes or no"};
      track.meet = value == "yes";
    } else if (key == "place") {
      track.avatar.place = place_of(named, value);
    } else {
      return false;
    }
    return true;
  }

  /// X:Y:Z[:YAW]: commas part the keys.
  static Placement place_of(const std::string& named, const std::string& value) {
    std::string place = value;
    std::replace(place.begin(), place.end(), ':', ',');
    const auto parts = std::count(place.begin(), place.end(), ',') + 1;
    if (parts != 3 && parts != 4) {
      throw UsageError{fmt::format("{}: expected X:Y:Z or X:Y:Z:YAW (metres, degrees), found {}",
                                   named, base::in_quotes(value))};
    }
    return parse_placement(named, place);
  }

  bool of_xsens(const std::string& key, const std::string& value) {
    if (out_.options.protocol != LiveProtocol::kXsens) return false;
    const std::string named = option_ + ", " + key;
    if (key == "unit") {
      const bool name = value == "m" || value == "cm";
      out_.options.units.unit = name ? (value == "m" ? 1.0 : 0.01)
                                     : parse_number_in(named, value, kLeastUnit, kMostUnit,
                                                       "m, cm, or metres from 1e-6 to 1000");
    } else if (key == "up") {
      if (value != "y" && value != "z") throw UsageError{named + ": expected y or z"};
      out_.options.units.y_up = value == "y";
    } else {
      return false;
    }
    return true;
  }

  LiveArgument& out_;
  const std::string& option_;
};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = text.find(at, begin);
    out.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return out;
    begin = end + 1;
  }
}

}  // namespace

LiveArgument parse_live(LiveProtocol protocol, const std::string& option,
                        const std::string& value) {
  constexpr std::int64_t kMostPort = 65'535;
  LiveArgument out;
  out.option = option;
  out.options.protocol = protocol;
  const std::vector<std::string> parts = split(value, ',');
  const std::size_t sign = parts.front().find('=');
  if (sign == std::string::npos) {
    throw UsageError{
        fmt::format("{}: expected PORT=ROOM, found {}", option, base::in_quotes(value))};
  }
  std::string port = parts.front().substr(0, sign);
  if (const std::size_t colon = port.rfind(':'); colon != std::string::npos) {
    out.options.address = port.substr(0, colon);
    port = port.substr(colon + 1);
  }
  out.options.port = static_cast<int>(parse_whole(option + ", PORT", port, 0, kMostPort));
  out.options.track.environment = parts.front().substr(sign + 1);
  LiveParts keys(out, option);
  for (std::size_t i = 1; i < parts.size(); ++i) keys.take(parts[i]);
  return out;
}

void LiveArguments::add(CLI::App& app) {
  constexpr const char* kValue = "[ADDRESS:]PORT=ROOM[,KEY=VALUE]...";
  add_texts(app, "--vmc", vmc_, kValue,
            "Take poses of VMC's senders (39539 as a rule) on this port, as sessions in ROOM; on "
            "this machine unless an ADDRESS is given; repeatable",
            kMotionCapture);
  add_texts(app, "--xsens", xsens_, kValue,
            "The same of Xsens MVN's network streamer, MXTP01 and MXTP02 (9763 as a rule)",
            kMotionCapture);
  add_texts(app, "--udp", udp_, kValue,
            "The same of Tocsin's own datagrams, tocsin.udp.v1; needs skeleton=FILE",
            kMotionCapture);
  add_text(app, "--osc-out", osc_out_, "HOST:PORT",
           "Send what sessions touch as OSC messages, /tocsin/contact: begin, hold, end; and what "
           "they are predicted to touch, /tocsin/ahead (none)",
           kMotionCapture);
}

void LiveArguments::resolve(ServeOptions& options) const {
  options.osc_out = osc_out_;
  const auto add = [&](LiveProtocol protocol, const char* option,
                       const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      options.live.push_back(parse_live(protocol, option, value));
    }
  };
  add(LiveProtocol::kVmc, "--vmc", vmc_);
  add(LiveProtocol::kXsens, "--xsens", xsens_);
  add(LiveProtocol::kPlain, "--udp", udp_);
}

}  // namespace tocsin::app
