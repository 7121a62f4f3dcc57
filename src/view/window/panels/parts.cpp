#include "view/window/panels/parts.h"

#include <cmath>

#include "view/colours.h"
#include "view/window/elide.h"

namespace tocsin::view {
namespace {

ImVec2 point(int x, int y) { return {static_cast<float>(x), static_cast<float>(y)}; }

/// Bytes of the character that a text begins with.
std::size_t first_bytes(std::string_view text) {
  std::size_t n = 1;
  while (n < text.size() && (static_cast<unsigned char>(text[n]) & 0xC0U) == 0x80U) ++n;
  return n;
}

float width_of(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

}  // namespace

ImU32 ink_of(const Colour& colour, double alpha) {
  return ImGui::GetColorU32(ImVec4(colour.r, colour.g, colour.b, static_cast<float>(alpha)));
}

std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '#' && !out.empty() && out.back() == '#') out += ' ';
    out += byte < 0x20U || byte == 0x7FU ? '?' : c;
  }
  return out;
}

std::string fitting(std::string_view text, float width) {
  const std::string whole = plain(text);
  if (width_of(whole) <= width) return whole;
  constexpr std::string_view kMissing = "...";
  const float room = width - width_of(kMissing);
  std::size_t part = 0;
  while (part < whole.size()) {
    const std::size_t more = first_bytes(std::string_view(whole).substr(part));
    if (width_of(std::string_view(whole).substr(0, part + more)) > room) break;
    part += more;
  }
  return whole.substr(0, part) + std::string(kMissing);
}

std::string elided(std::string_view name, float width) {
  return elided_to(plain(name), width, width_of);
}

std::vector<std::string> wrapped(std::string_view text, float width, std::size_t most) {
  const std::string whole = plain(text);
  std::string_view left = whole;
  std::vector<std::string> out;
  while (!left.empty()) {
    if (out.size() + 1 == most || width_of(left) <= width) {
      out.push_back(fitting(left, width));
      return out;
    }
    std::size_t part = 0;
    std::size_t word = 0;  // the end of the last whole word
    while (part < left.size()) {
      const std::size_t more = first_bytes(left.substr(part));
      if (part > 0 && width_of(left.substr(0, part + more)) > width) break;
      if (left[part] == ' ') word = part;
      part += more;
    }
    const std::size_t cut = word > 0 && part < left.size() ? word : part;
    out.emplace_back(left.substr(0, cut));
    left.remove_prefix(cut);
    while (left.starts_with(' ')) left.remove_prefix(1);
  }
  return out;
}

void put(std::string_view text) { ImGui::TextUnformatted(text.data(), text.data() + text.size()); }

namespace {

/// What is shown of a text, with the whole in a tooltip.
void put_part(const std::string& shown, std::string_view whole) {
  put(shown);
  if (shown != plain(whole) && ImGui::IsItemHovered()) put_whole(whole);
}

}  // namespace

void put_fitting(std::string_view text, float width) { put_part(fitting(text, width), text); }

void put_elided(std::string_view name, float width) { put_part(elided(name, width), name); }

void put_whole(std::string_view text) {
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(30.0F * ImGui::GetFontSize());
  put(plain(text));
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void put_soft(std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, ink_of(kSoftColour));
  put(text);
  ImGui::PopStyleColor();
}

const char* kind_text(ContactStatus status) {
  switch (status) {
    case ContactStatus::kOverlap:
      return "overlap";
    case ContactStatus::kHit:
      return "hit";
    case ContactStatus::kGraze:
      break;
  }
  return "graze";
}

void put_kind(ContactStatus status, std::string_view text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeight();
  const float wide = 0.42F * height;
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, at.y + 1.0F}, {at.x + wide, at.y + height - 1.0F}, ink_of(kind_colour(status)));
  ImGui::Dummy({wide, height});
  ImGui::SameLine(0.0F, 0.3F * height);
  put(text);
}

void scroll_by_whole(float part) {
  const float at = ImGui::GetScrollY();
  const float whole = part * std::round(at / part);
  if (whole != at) ImGui::SetScrollY(whole);
}

bool begin_panel(const char* name, const Rect& at, Layer layer) {
  ImGui::SetNextWindowPos(point(at.left, at.top));
  ImGui::SetNextWindowSize(point(at.width, at.height));
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                           ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                           ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollbar |
                           ImGuiWindowFlags_NoScrollWithMouse;
  if (layer == Layer::kFront) {
    ImGui::SetNextWindowFocus();
  } else {
    flags |= ImGuiWindowFlags_NoBringToFrontOnFocus;
  }
  if (layer == Layer::kLabels) {
    flags |= ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs |
             ImGuiWindowFlags_NoFocusOnAppearing;
  }
  return ImGui::Begin(name, nullptr, flags);
}

void end_panel() { ImGui::End(); }

}  // namespace tocsin::view
