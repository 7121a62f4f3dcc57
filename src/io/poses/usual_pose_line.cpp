#include "io/poses/usual_pose_line.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <system_error>

#include "base/json_text.h"

namespace tocsin::io {
namespace {

class UsualLine {
 public:
  explicit UsualLine(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  bool read(double& tick, std::span<Transform> local) {
    if (!take("{") || !take("\"type\"") || !take(":") || !take("\"pose\"") || !take(",")) {
      return false;
    }
    if (!take("\"tick\"") || !take(":") || !number(tick) || !take(",")) return false;
    double unused = 0.0;
    for (const char* const name : {"\"id\"", "\"index\"", "\"time\""}) {
      if (take(name) && !(take(":") && number(unused) && take(","))) return false;
    }
    for (const char* const name : {"\"skipped\"", "\"bad\""}) {
      if (take(name) && !(take(":") && pairs() && take(","))) return false;
    }
    if (take("\"counts\"") && !(take(":") && numbers() && take(","))) return false;
    if (take("\"first_bad\"") && !(take(":") && text() && take(","))) return false;
    if (take("\"scene\"") && !(take(":") && mark() && take(","))) return false;
    for (const char* const name : {"\"floats\"", "\"linked_only\""}) {
      if (take(name) && !(take(":") && take("true") && take(","))) return false;
    }
    if (take("\"held\"") && !(take(":") && numbers() && take(","))) return false;
    if (!take("\"local\"") || !take(":") || !take("[")) return false;
    std::array<double, kPoseNumbers> n{};
    for (std::size_t joint = 0; joint < local.size(); ++joint) {
      for (std::size_t i = 0; i < kPoseNumbers; ++i) {
        if ((joint > 0 || i > 0) && !take(",")) return false;
        if (!number(n[i])) return false;
      }
      local[joint] = pose_transform(n);
    }
    if (!take("]") || !take("}")) return false;
    skip_blanks();
    return at_ == end_;
  }

 private:
  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }

  bool take(std::string_view text) {
    skip_blanks();
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(text)) {
      return false;
    }
    at_ += text.size();
    return true;
  }

  /// An array of pairs of numbers.
  bool pairs() {
    if (!take("[")) return false;
    double unused = 0.0;
    do {
      if (!(take("[") && number(unused) && take(",") && number(unused) && take("]"))) return false;
    } while (take(","));
    return take("]");
  }

  /// An array of numbers.
  bool numbers() {
    if (!take("[")) return false;
    double unused = 0.0;
    do {
      if (!number(unused)) return false;
    } while (take(","));
    return take("]");
  }

  /// A number and a text.
  bool mark() {
    double unused = 0.0;
    return take("[") && number(unused) && take(",") && text() && take("]");
  }

  /// A string as its writer escapes it.
  bool text() {
    if (!take("\"")) return false;
    const char* const begin = at_;
    while (at_ != end_ && *at_ != '"') {
      if (static_cast<unsigned char>(*at_) < 0x20) return false;
      if (*at_++ == '\\' && !escape()) return false;
    }
    if (at_ == end_) return false;
    const std::string_view found(begin, static_cast<std::size_t>(at_ - begin));
    ++at_;
    return base::valid_utf8(found) == found;
  }

  /// What follows a backslash.
  bool escape() {
    if (at_ == end_) return false;
    const char which = *at_++;
    if (which != 'u') return std::string_view("\"\\/bfnrt").find(which) != std::string_view::npos;
    constexpr std::ptrdiff_t kDigits = 4;  // not of a surrogate: none is written
    if (end_ - at_ < kDigits || *at_ != '0') return false;
    at_ += kDigits;
    return std::all_of(at_ - kDigits, at_, [](unsigned char c) { return std::isxdigit(c) != 0; });
  }

  /// A JSON number: from_chars, which takes more, less what it takes more.
  bool number(double& value) {
    skip_blanks();
    const char* const digits = at_ != end_ && *at_ == '-' ? at_ + 1 : at_;
    if (digits == end_ || *digits < '0' || *digits > '9') return false;
    const bool leading_zero =
        *digits == '0' && digits + 1 != end_ && digits[1] >= '0' && digits[1] <= '9';
    const auto [stop, error] = std::from_chars(at_, end_, value);
    if (error != std::errc() || leading_zero) return false;
    const char* const point = std::find(digits, stop, '.');
    const bool digit_follows =
        point == stop || (point + 1 != stop && point[1] >= '0' && point[1] <= '9');
    at_ = stop;
    return digit_follows;
  }

  const char* at_;
  const char* end_;
};

}  // namespace

bool read_usual_pose_line(std::string_view line, double& tick, std::span<Transform> local) {
  return UsualLine(line).read(tick, local);
}

}  // namespace tocsin::io
