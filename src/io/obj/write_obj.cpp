#include "io/obj/write_obj.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>

#include "base/output_file.h"
#include "io/room_limits.h"

namespace tocsin::io {
namespace {

/// Bytes gathered before they are handed on.
constexpr std::size_t kPiece = std::size_t{1} << 16U;

template <class T>
void append_shortest(std::string& out, T value) {
  std::array<char, 32> digits{};  // a double takes at most 24
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

/// The shortest decimal of the float; of its double, where reading that decimal as a double and
/// rounding it once more would give a neighbour.
void append_float(std::string& out, float value) {
  const std::size_t begin = out.size();
  append_shortest(out, value);
  double read = 0.0;
  std::from_chars(out.data() + begin, out.data() + out.size(), read);
  if (static_cast<float>(read) == value) return;
  out.resize(begin);
  append_shortest(out, static_cast<double>(value));
}

class ObjWriter {
 public:
  ObjWriter(const Environment& environment, base::OutputFile& output)
      : environment_(environment), output_(output) {}

  /// False if a write failed.
  bool write() {
    text_ = "# metres, Y up\n";
    for (const Object& object : environment_.objects()) {
      text_ += fmt::format("o {}\n", object.name);
      const auto triangles =
          environment_.triangles().subspan(object.first_triangle, object.triangle_count);
      // Vertices come object after object, so those of an object are what is missing up to the
      // last one that it uses.
      std::size_t end = written_;
      for (const TriangleIndices& t : triangles) {
        end = std::max({end, std::size_t{t[0]} + 1, std::size_t{t[1]} + 1, std::size_t{t[2]} + 1});
      }
      if (!vertices(end) || !faces(triangles)) return false;
    }
    return vertices(environment_.vertices().size()) && output_.write(text_);
  }

 private:
  bool flush_if_full() {
    if (text_.size() < kPiece) return true;
    const bool ok = output_.write(text_);
    text_.clear();
    return ok;
  }

  /// The vertices before `end` that are not written yet.
  bool vertices(std::size_t end) {
    for (; written_ < end; ++written_) {
      const Vec3f& v = environment_.vertices()[written_];
      text_ += 'v';
      for (const float x : {v.x, v.y, v.z}) {
        text_ += ' ';
        append_float(text_, x);
      }
      text_ += '\n';
      if (!flush_if_full()) return false;
    }
    return true;
  }

  bool faces(std::span<const TriangleIndices> triangles) {
    for (const TriangleIndices& t : triangles) {
      text_ += 'f';
      for (const std::uint32_t index : t) {
        text_ += ' ';
        append_shortest(text_, std::uint64_t{index} + 1);
      }
      text_ += '\n';
      if (!flush_if_full()) return false;
    }
    return true;
  }

  const Environment& environment_;
  base::OutputFile& output_;
  std::string text_;
  std::size_t written_ = 0;  ///< vertices
};

}  // namespace

Status write_obj(const Environment& environment, const std::filesystem::path& file) {
  const RoomLimits limits{.control_characters = false, .outer_blanks = false};
  if (const std::string fault = room_fault(environment, limits); !fault.empty()) {
    return {ErrorCode::kInput, fmt::format("{}: {}", file.string(), fault)};
  }
  base::OutputFile output;
  if (Status opened = output.open(file.string()); !opened) return opened;
  if (!ObjWriter(environment, output).write()) return output.error();
  return output.finish();
}

}  // namespace tocsin::io
