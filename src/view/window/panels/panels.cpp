#include "view/window/panels/panels.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "core/vector/vec.h"
#include "view/colours.h"
#include "view/window/panels/parts.h"

namespace tocsin::view {
namespace {

Colour verdict_colour(const std::string& verdict) {
  if (verdict == "CLEAN") return {0.0F, 0.412F, 0.298F};
  if (verdict == "CONTACT" || verdict == "LOST") return {0.663F, 0.267F, 0.0F};
  if (verdict == "LIVE") return {0.0F, 0.353F, 0.549F};
  return {0.353F, 0.392F, 0.447F};
}

/// A line on the view, on paper of its own so that it is read over any room.
void label(std::string_view text, float x, float y, float width, bool from_right = false) {
  if (text.empty()) return;
  const std::string shown = fitting(text, width);
  const ImVec2 size = ImGui::CalcTextSize(shown.data(), shown.data() + shown.size());
  const float left = from_right ? x - size.x : x;
  ImGui::GetWindowDrawList()->AddRectFilled({left - 5.0F, y - 2.0F},
                                            {left + size.x + 5.0F, y + size.y + 2.0F},
                                            ink_of({1.0F, 1.0F, 1.0F}, 0.85), 3.0F);
  ImGui::SetCursorScreenPos({left, y});
  put(shown);
}

std::string touching_text(const Player& player) {
  const Story& story = player.story();
  std::vector<std::string> names;
  const auto add = [&](bool of_chosen) {
    for (const std::size_t i : contacts_at(story, player.now())) {
      const StoryContact& contact = story.contacts[i];
      if ((player.chosen() == contact.episode) != of_chosen) continue;
      const StoryEpisode& episode = story.episodes[contact.episode];
      std::string text =
          fmt::format("{} {} {}", plain(episode.link_text),
                      contact.told.status == ContactStatus::kGraze ? "may touch" : "touches",
                      plain(episode.thing_text));
      if (std::find(names.begin(), names.end(), text) == names.end()) {
        names.push_back(std::move(text));
      }
    }
  };
  add(true);
  add(false);
  constexpr std::size_t kMost = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i) {
    out += (i > 0 ? "; " : "") + names[i];
  }
  if (names.size() > kMost) out += fmt::format("; and {} more", names.size() - kMost);
  return out;
}

/// The chosen episode where the time is outside of it.
std::string chosen_text(const Player& player) {
  if (!player.chosen()) return {};
  const StoryEpisode& episode = player.story().episodes[*player.chosen()];
  const auto& span = episode.told.seconds;
  if (player.now() >= span[0] - 1e-9 && player.now() <= span[1] + 1e-9) return {};
  return fmt::format("chosen: {} and {} at {:.3f} s", plain(episode.link_text),
                     plain(episode.thing_text), span[0]);
}

std::string marks_text(const Player& player) {
  const Story& story = player.story();
  std::string out;
  for (const std::size_t i : marks_at(story, player.now())) {
    const StoryMark& mark = story.marks[i];
    out += out.empty() ? "" : "; ";
    for (const StoryFigure& figure : story.figures) {
      if (figure.index == mark.avatar) out += plain(figure.name) + ": ";
    }
    out += plain(mark.text);
  }
  return out;
}

std::string tape_text(const std::vector<Vec3>& tape) {
  if (tape.empty()) return {};
  const auto point = [](const Vec3& p) {
    return fmt::format("{:.3f}, {:.3f}, {:.3f}", p.x, p.y, p.z);
  };
  if (tape.size() == 1) return fmt::format("tape from {} m: now the second point", point(tape[0]));
  return fmt::format("tape: {:.3f} m", core::norm(tape[1] - tape[0]));
}

}  // namespace

std::optional<Rect> Panels::place_of(const std::string& name) const {
  const auto found = items_.find(name);
  if (found == items_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> Panels::names() const {
  std::vector<std::string> out;
  for (const auto& [name, place] : items_) out.push_back(name);
  return out;
}

void Panels::name_item(std::string name) {
  if (!keeps_names_) return;
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 high = ImGui::GetItemRectMax();
  items_[std::move(name)] = {static_cast<int>(low.x), static_cast<int>(low.y),
                             static_cast<int>(high.x - low.x), static_cast<int>(high.y - low.y)};
}

void Panels::see_text(float top, float bottom) {
  const ImDrawList& list = *ImGui::GetWindowDrawList();
  const float high = list.GetClipRectMin().y;
  const float low = list.GetClipRectMax().y;
  constexpr float kRowSlack = 0.5F;                                  // pixels
  if (bottom <= high + kRowSlack || top >= low - kRowSlack) return;  // not in sight
  if (top < high - kRowSlack || bottom > low + kRowSlack) ++cut_texts_;
}

PanelWishes Panels::draw(Player& player, const Panes& layout, const PanelTexts& texts,
                         const CheckWish& wish, double scale) {
  scale_ = scale;
  wishes_ = {};
  items_.clear();
  labels_.clear();
  cut_texts_ = 0;
  draw_head(player, layout.head, texts);
  if (!player.shown().keys) draw_labels(player, layout.view, texts);
  if (begin_panel("list", layout.list)) {
    draw_list(player, layout.list, texts);
    if (texts.checks) draw_checks(texts, wish);
    if (!live_lines_.empty()) draw_live();
  }
  end_panel();
  draw_time(player, layout.time);
  if (player.shown().keys) draw_keys({0, 0, layout.head.width, layout.time.bottom()});
  return std::exchange(wishes_, {});
}

void Panels::draw_head(const Player& player, const Rect& at, const PanelTexts& texts) {
  const Story& story = player.story();
  if (begin_panel("head", at)) {
    const ImVec2 chip = ImGui::CalcTextSize(story.verdict.c_str());
    const ImVec2 place = ImGui::GetCursorScreenPos();
    const float pad = 8.0F * static_cast<float>(scale_);
    const float height =
        static_cast<float>(at.height) - 2.0F * (place.y - static_cast<float>(at.top));
    ImGui::GetWindowDrawList()->AddRectFilled(place,
                                              {place.x + chip.x + 2.0F * pad, place.y + height},
                                              ink_of(verdict_colour(story.verdict)), 4.0F);
    ImGui::GetWindowDrawList()->AddText({place.x + pad, place.y + 0.5F * (height - chip.y)},
                                        ink_of({1.0F, 1.0F, 1.0F}), story.verdict.c_str());
    const float left = place.x + chip.x + 4.0F * pad;
    const float right = static_cast<float>(at.right()) - pad;
    const float line = ImGui::GetTextLineHeight();
    const float top =
        static_cast<float>(at.top) + 0.5F * (static_cast<float>(at.height) - 2.1F * line);
    const std::string device = fitting(texts.device, 0.3F * (right - left));
    const float wide = ImGui::CalcTextSize(device.c_str()).x;
    ImGui::SetCursorScreenPos({left, top});
    put_fitting(story.title, right - left - wide - 2.0F * pad);
    ImGui::SetCursorScreenPos({right - wide, top});
    put_soft(device);
    ImGui::SetCursorScreenPos({left, top + 1.1F * line});
    ImGui::PushStyleColor(ImGuiCol_Text, ink_of(kSoftColour));
    put_fitting(story.summary, right - left);
    ImGui::PopStyleColor();
  }
  end_panel();
}

void Panels::draw_labels(const Player& player, const Rect& at, const PanelTexts& texts) {
  if (begin_panel("labels", at, Layer::kLabels)) {
    const auto pad = static_cast<float>(12.0 * scale_);
    const float line = 1.35F * ImGui::GetTextLineHeight();
    const float left = static_cast<float>(at.left) + pad;
    const float wide = static_cast<float>(at.width) - 2.0F * pad;
    float y = static_cast<float>(at.top) + pad;
    // Whole names: the list cuts long ones.
    const auto below = [&](std::string_view text) {
      constexpr std::size_t kMostLines = 4;
      for (const std::string& part : wrapped(text, wide, kMostLines)) {
        label(part, left, y, wide);
        y += line;
        if (keeps_names_) labels_.push_back(part);
      }
    };
    below(touching_text(player));
    below(chosen_text(player));
    below(marks_text(player));
    if (player.picked()) below("picked: " + player.name_of(*player.picked()));
    if (player.followed()) below("following " + player.name_of(*player.followed()) + "  (F: stop)");
    below(tape_text(player.tape()));
    for (const std::string& text : texts.study) below(text);
    const float foot = static_cast<float>(at.bottom()) - pad - ImGui::GetTextLineHeight();
    const bool walks = player.rig().mode() == Rig::Mode::kWalk;
    std::string state = walks ? "walk camera: W A S D" : "orbit camera";
    if (texts.filming) state += "   FILMING (F9: end)";
    if (!player.story().complete) state += player.live() ? "   live" : "   not live (End: live)";
    label(state, left, foot, 0.6F * wide);
    label("F1: keys", left + wide, foot, 0.3F * wide, true);
    if (player.shown().sweep) draw_sweep_key(left + wide, foot - 2.0F * line);
    label(texts.message, left, foot - line, wide);
    // The middle, where Enter picks and M measures.
    const ImVec2 middle{0.5F * static_cast<float>(at.left + at.right()),
                        0.5F * static_cast<float>(at.top + at.bottom())};
    const auto arm = static_cast<float>(5.0 * scale_);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 ink = ink_of(kInkColour, 0.55);
    list.AddLine({middle.x - arm, middle.y}, {middle.x + arm, middle.y}, ink);
    list.AddLine({middle.x, middle.y - arm}, {middle.x, middle.y + arm}, ink);
  }
  end_panel();
}

void Panels::draw_sweep_key(float right, float foot) {
  constexpr std::string_view kBegin = "swept: begin";
  constexpr std::string_view kEnd = "end of the step";
  const float height = ImGui::GetTextLineHeight();
  const float pad = 0.4F * height;
  const float bar = 6.0F * height;
  const float end = ImGui::CalcTextSize(kEnd.data(), kEnd.data() + kEnd.size()).x;
  const float begin = ImGui::CalcTextSize(kBegin.data(), kBegin.data() + kBegin.size()).x;
  const float left = right - end - begin - bar - 2.0F * pad;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({left - 5.0F, foot - 2.0F}, {right + 5.0F, foot + height + 2.0F},
                     ink_of({1.0F, 1.0F, 1.0F}, 0.85), 3.0F);
  ImGui::SetCursorScreenPos({left, foot});
  put(kBegin);
  const float from = left + begin + pad;
  constexpr int kParts = 48;
  for (int i = 0; i < kParts; ++i) {
    const float x = from + bar * static_cast<float>(i) / kParts;
    list.AddRectFilled({x, foot + 0.15F * height}, {x + bar / kParts, foot + 0.85F * height},
                       ink_of(time_colour((i + 0.5) / kParts)));
  }
  ImGui::SetCursorScreenPos({from + bar + pad, foot});
  put(kEnd);
  if (keeps_names_) labels_.push_back(fmt::format("{} {}", kBegin, kEnd));
}

void Panels::draw_keys(const Rect& at) {
  Rect own = at;
  const int inset = static_cast<int>(30.0 * scale_);
  own = {at.left + inset, at.top + inset, std::max(1, at.width - 2 * inset),
         std::max(1, at.height - 2 * inset)};
  if (begin_panel("keys", own, Layer::kFront)) {
    // As many columns as the rows need.
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const auto fits =
        std::max(4, static_cast<int>((static_cast<float>(own.height) - 16.0F) / line));
    const auto rows = key_rows();
    const int lines = static_cast<int>(rows.size()) + 5;
    const int columns = std::max(1, (lines + fits - 1) / fits);
    const float wide = (static_cast<float>(own.width) - 20.0F) / static_cast<float>(columns);
    const auto key_wide = static_cast<float>(96.0 * scale_);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    int at_line = 0;
    std::string_view group;
    const auto place = [&](float right) {
      const auto column = static_cast<float>(at_line / fits);
      const auto row = static_cast<float>(at_line % fits);
      ImGui::SetCursorScreenPos({from.x + column * wide + right, from.y + row * line});
    };
    for (const KeyRow& row : rows) {
      if (row.group != group) {
        group = row.group;
        place(0.0F);
        put_soft(fitting(group, wide - 8.0F));
        ++at_line;
      }
      place(0.0F);
      put(shown_key(row.key));
      place(key_wide);
      put_fitting(row.text, wide - key_wide - 8.0F);
      ++at_line;
    }
  }
  end_panel();
}

}  // namespace tocsin::view
