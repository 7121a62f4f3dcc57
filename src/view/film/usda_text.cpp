#include "view/film/usda_text.h"

#include <algorithm>

#include "base/json_text.h"
#include "core/vector/vec.h"
#include "view/colours.h"

namespace tocsin::view {

std::string usd_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : base::valid_utf8(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += base::is_control(c) ? ' ' : c;
  }
  return out + '"';
}

std::string usd_name(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (digit && out.empty()) out += '_';
    out += letter || digit ? c : '_';
  }
  return out.empty() ? "_" : out;
}

std::string usd_vector(const Vec3& v) { return fmt::format("({}, {}, {})", v.x, v.y, v.z); }

std::string usd_quat(const Quat& q) {
  const Quat n = core::normalized(q);
  const auto f = [](double x) { return static_cast<float>(x); };
  return fmt::format("({}, {}, {}, {})", f(n.w), f(n.x), f(n.y), f(n.z));
}

Status UsdaText::finish() {
  if (!written_) return out_.error();
  return out_.finish();
}

void UsdaText::line(std::string_view text) {
  constexpr std::size_t kMostIndent = 20;  // skeletons may be thousands of joints deep
  piece(std::string(4 * std::min(names_.size() - 1, kMostIndent), ' '));
  piece(text);
  piece("\n");
}

void UsdaText::begin(const char* type, const std::string& name) {
  const std::string wanted = usd_name(name);
  std::string own = wanted;
  for (int n = 2; !names_.back().insert(own).second; ++n) own = fmt::format("{}_{}", wanted, n);
  line(fmt::format("def {} \"{}\"", type, own));
  line("{");
  names_.emplace_back();
}

void UsdaText::end() {
  names_.pop_back();
  line("}");
}

void UsdaText::note(const char* key, const std::string& text) {
  line(fmt::format("custom string tocsin:{} = {}", key, usd_string(text)));
}

void UsdaText::samples(const char* attribute, std::span<const UsdSample> samples) {
  line(fmt::format("{}.timeSamples = {{", attribute));
  for (const UsdSample& sample : samples) {
    line(fmt::format("    {}: {},", sample.code, sample.value));
  }
  line("}");
}

void UsdaText::order(const char* operations) {
  line(fmt::format("uniform token[] xformOpOrder = [{}]", operations));
}

void UsdaText::colour(const Colour& colour) {
  const Colour c = to_linear(colour);
  line(fmt::format("color3f[] primvars:displayColor = [({}, {}, {})]", c.r, c.g, c.b));
}

void UsdaText::mesh(std::span<const Vec3f> points, std::span<const TriangleIndices> triangles) {
  const auto list = [this](std::string_view head, const auto& items, const auto& text) {
    piece(head);
    bool first = true;
    for (const auto& item : items) {
      if (!first) piece(", ");
      first = false;
      piece(text(item));
    }
    piece("]\n");
  };
  Vec3f low = points.empty() ? Vec3f{} : points.front();
  Vec3f high = low;
  for (const Vec3f& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const auto point = [](const Vec3f& p) { return fmt::format("({}, {}, {})", p.x, p.y, p.z); };
  line(fmt::format("float3[] extent = [{}, {}]", point(low), point(high)));
  list("int[] faceVertexCounts = [", triangles, [](const auto&) { return std::string("3"); });
  list("int[] faceVertexIndices = [", triangles,
       [](const TriangleIndices& t) { return fmt::format("{}, {}, {}", t[0], t[1], t[2]); });
  list("point3f[] points = [", points, point);
  line("uniform token subdivisionScheme = \"none\"");
}

}  // namespace tocsin::view
