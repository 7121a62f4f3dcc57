#include "io/obj/obj.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/text_scanner.h"
#include "io/obj/obj_plain.h"
#include "io/obj_objects.h"
#include "io/up_axis.h"
#include "scene/room/coordinate_limit.h"

namespace tocsin::io {
namespace {

/// x y z, a weight, and a colour with alpha: no program writes more.
constexpr int kMaxVertexColumns = 8;

/// How the lines of a keyword are handled.
enum class Keyword : std::uint8_t {
  kVertex,
  kFace,
  kObject,
  kGroup,
  kText,       ///< passed over; the rest of the line is free text, in which a last backslash means
               ///< itself
  kAttribute,  ///< passed over; says nothing about where triangles are
  kWire,       ///< passed over and counted: points and lines
  kFreeForm,   ///< passed over and counted: curves and surfaces
  kInclude,    ///< passed over and counted: other files, commands
  kUnknown,
};

struct KeywordName {
  std::string_view name;
  Keyword keyword;
};

/// The keywords of the format (Wavefront Advanced Visualizer 3.0, appendix B).
constexpr std::array kKeywords = std::to_array<KeywordName>({
    {"v", Keyword::kVertex},
    {"f", Keyword::kFace},
    {"fo", Keyword::kFace},
    {"o", Keyword::kObject},
    {"g", Keyword::kGroup},
    {"vn", Keyword::kAttribute},
    {"vt", Keyword::kAttribute},
    {"vp", Keyword::kAttribute},
    {"s", Keyword::kText},
    {"mtllib", Keyword::kText},
    {"usemtl", Keyword::kText},
    {"maplib", Keyword::kText},
    {"usemap", Keyword::kText},
    {"shadow_obj", Keyword::kText},
    {"trace_obj", Keyword::kText},
    {"mg", Keyword::kAttribute},
    {"bevel", Keyword::kAttribute},
    {"c_interp", Keyword::kAttribute},
    {"d_interp", Keyword::kAttribute},
    {"lod", Keyword::kAttribute},
    {"ctech", Keyword::kAttribute},
    {"stech", Keyword::kAttribute},
    {"cstype", Keyword::kAttribute},
    {"deg", Keyword::kAttribute},
    {"bmat", Keyword::kAttribute},
    {"step", Keyword::kAttribute},
    {"parm", Keyword::kAttribute},
    {"trim", Keyword::kAttribute},
    {"hole", Keyword::kAttribute},
    {"scrv", Keyword::kAttribute},
    {"sp", Keyword::kAttribute},
    {"end", Keyword::kAttribute},
    {"con", Keyword::kAttribute},
    {"p", Keyword::kWire},
    {"l", Keyword::kWire},
    {"curv", Keyword::kFreeForm},
    {"curv2", Keyword::kFreeForm},
    {"surf", Keyword::kFreeForm},
    {"call", Keyword::kInclude},
    {"csh", Keyword::kInclude},
});

Keyword keyword_of(std::string_view name) {
  const auto* const at = std::find_if(kKeywords.begin(), kKeywords.end(),
                                      [name](const KeywordName& k) { return k.name == name; });
  return at == kKeywords.end() ? Keyword::kUnknown : at->keyword;
}

/// Lines of one kind that were passed over.
struct Passed {
  std::int64_t count = 0;
  std::int64_t first_line = 0;
};

class ObjReader {
 public:
  ObjReader(std::string_view text, std::string_view file, const EnvironmentOptions& options)
      : in_(text, base::Continuation::kYes), file_(file), options_(options) {}

  Result<Environment> read() {
    while (!error_ && !in_.at_text_end()) line();
    if (!error_ && last_forward_ > out_.vertices.size()) {
      error_ = base::input_error(file_, last_forward_line_,
                                 fmt::format("vertex {} does not exist: the file has {}",
                                             last_forward_, out_.vertices.size()));
    }
    if (error_) return *error_;
    if (out_.triangles.empty()) {
      return {ErrorCode::kInput, fmt::format("{}: there are no faces, so no triangles", file_)};
    }
    return finish();
  }

 private:
  void stop(std::string_view text) { error_ = base::input_error(file_, in_.line(), text); }

  /// A line that can be read without a scanner: most of a file.
  bool plain_line() {
    const std::string_view text = in_.rest();
    if (text.size() < 2 || text[1] != ' ') return false;
    std::size_t length = 0;
    if (text[0] == 'f') {
      length = read_plain_face(text.substr(1), out_.vertices.size(), out_.triangles);
    } else if (text[0] == 'v') {
      Vec3 p;
      length = read_plain_vertex(text.substr(1), p);
      if (length > 0 && !add_vertex({p.x, p.y, p.z})) return true;
    }
    if (length == 0) return false;
    in_.advance(1 + length);
    in_.next_line();
    return true;
  }

  void line() {
    if (plain_line()) return;
    const std::string_view word = in_.token();
    switch (const Keyword keyword = word.front() == '#' ? Keyword::kText : keyword_of(word)) {
      case Keyword::kVertex:
        vertex();
        break;
      case Keyword::kFace:
        face();
        break;
      case Keyword::kObject:
      case Keyword::kGroup:
        out_.marks.push_back(
            {in_.rest_of_line(), out_.triangles.size(), keyword == Keyword::kObject});
        break;
      case Keyword::kText:
        break;
      case Keyword::kAttribute:
        pass(nullptr);
        break;
      case Keyword::kWire:
        pass(&wires_);
        break;
      case Keyword::kFreeForm:
        pass(&free_forms_);
        break;
      case Keyword::kInclude:
        pass(&includes_);
        break;
      case Keyword::kUnknown:
        stop(fmt::format("unknown keyword {}", base::in_quotes(word)));
        break;
    }
    if (!error_) in_.next_line();
  }

  /// Moves to the end of a line that may be continued.
  void pass(Passed* passed) {
    if (passed != nullptr && passed->count++ == 0) passed->first_line = in_.line();
    while (!in_.at_line_end()) in_.token();
  }

  /// True at the end of a line or before a comment.
  bool at_statement_end() { return in_.at_line_end() || in_.rest().front() == '#'; }

  void vertex() {
    std::array<double, 3> value{};
    for (double& v : value) {
      const std::optional<double> number = in_.number();
      if (!number) return stop("vertex: " + in_.number_problem());
      v = *number;
    }
    for (int column = 3; !at_statement_end(); ++column) {
      if (column == kMaxVertexColumns) {
        return stop(fmt::format("vertex with more than {} numbers", kMaxVertexColumns));
      }
      if (!in_.number()) return stop("vertex: " + in_.number_problem());
    }
    add_vertex(value);
  }

  /// Takes coordinates as they stand in the file.
  bool add_vertex(std::array<double, 3> value) {
    for (double& v : value) {
      v *= options_.scale;
      // Environment::create would refuse it too, but without a line number. A NaN fails here.
      if (!(std::fabs(v) <= scene::kMaxCoordinate)) {
        stop(fmt::format("the coordinate {} m is beyond {} m", v, scene::kMaxCoordinate));
        return false;
      }
    }
    const Vec3 p = turned_up({value[0], value[1], value[2]}, options_.up);
    out_.vertices.push_back(
        {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    return true;
  }

  void face() {
    TriangleIndices fan{};
    std::size_t corners = 0;
    for (; !at_statement_end(); ++corners) {
      const std::optional<std::uint32_t> index = corner();
      if (!index) return;
      if (corners >= 3) fan[1] = fan[2];
      fan[std::min<std::size_t>(corners, 2)] = *index;
      if (corners >= 2) out_.triangles.push_back(fan);
    }
    if (corners < 3) stop(fmt::format("a face needs at least 3 corners, found {}", corners));
  }

  /// A vertex index from 0. Indices ahead of their vertices are looked at again at the end.
  std::optional<std::uint32_t> corner() {
    const std::string_view token = in_.peek();
    const char* const end = token.data() + token.size();
    std::int64_t index = 0;
    const auto [rest, error] = std::from_chars(token.data(), end, index);
    if (error == std::errc::result_out_of_range) {
      stop(fmt::format("vertex {} does not exist", base::in_quotes(token)));
      return std::nullopt;
    }
    if (error != std::errc() || !is_reference_tail({rest, static_cast<std::size_t>(end - rest)})) {
      stop(fmt::format("expected a vertex index (1, 1/2, 1//3 or 1/2/3), found {}",
                       base::in_quotes(token)));
      return std::nullopt;
    }
    const auto count = static_cast<std::int64_t>(out_.vertices.size());
    const std::int64_t from_zero = index < 0 ? count + index : index - 1;
    if (index == 0 || from_zero < 0 || from_zero >= kMaxIndex) {
      stop(index == 0 ? std::string("vertex 0 does not exist: indices start at 1 or -1")
                      : fmt::format("vertex {} does not exist: {} came before", index, count));
      return std::nullopt;
    }
    if (index > count && static_cast<std::size_t>(index) > last_forward_) {
      last_forward_ = static_cast<std::size_t>(index);
      last_forward_line_ = in_.line();
    }
    in_.token();
    return static_cast<std::uint32_t>(from_zero);
  }

  /// "", "/b", "//c" or "/b/c", where b and c are integers or, as some programs write, nothing.
  static bool is_reference_tail(std::string_view tail) {
    for (int part = 0; part < 2 && !tail.empty(); ++part) {
      if (tail.front() != '/') return false;
      tail.remove_prefix(1);
      const std::size_t sign = !tail.empty() && tail.front() == '-' ? 1 : 0;
      const std::size_t end = std::min(tail.find_first_not_of("0123456789", sign), tail.size());
      if (sign == 1 && end == 1) return false;
      tail.remove_prefix(end);
    }
    return tail.empty();
  }

  Result<Environment> finish() {
    ObjObjects split = split_objects(out_);
    out_ = {};  // the objects have copies
    std::vector<std::string> warnings;
    const auto warn = [&](const Passed& passed, std::string_view what) {
      if (passed.count == 0) return;
      const std::string text = fmt::format("{} {} passed over, the first here", passed.count, what);
      warnings.push_back(base::input_error(file_, passed.first_line, text).message);
    };
    warn(wires_, "point or line elements");
    warn(free_forms_, "free-form curves or surfaces");
    warn(includes_, "calls of other files or commands");
    for (const std::string& text : split.warnings) {
      warnings.push_back(fmt::format("{}: {}", file_, text));
    }
    Result<Environment> made = Environment::create(std::move(split.objects));
    if (!made.ok()) {
      return {made.error().code, fmt::format("{}: {}", file_, made.error().message)};
    }
    if (warnings.empty()) return made;
    return made->with_warnings(std::move(warnings));
  }

  static constexpr std::int64_t kMaxIndex = 0xFFFFFFFF;

  base::TextScanner in_;
  std::string_view file_;
  const EnvironmentOptions& options_;
  std::optional<Error> error_;
  ObjGeometry out_;
  std::size_t last_forward_ = 0;  ///< greatest index, from 1, that was ahead of its vertex
  std::int64_t last_forward_line_ = 0;
  Passed wires_;
  Passed free_forms_;
  Passed includes_;
};

}  // namespace

Result<Environment> parse_obj(std::string_view text, std::string_view file,
                              const EnvironmentOptions& options) {
  if (!std::isfinite(options.scale) || options.scale <= 0.0) {
    return {ErrorCode::kUsage,
            fmt::format("a scale of {} makes no sense; it must be finite and greater than 0",
                        options.scale)};
  }
  return ObjReader(text, file, options).read();
}

}  // namespace tocsin::io
