// The panel of episodes: filters, rows, what is shown, and what is checked again.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "view/window/panels/panels.h"
#include "view/window/panels/parts.h"

namespace tocsin::view {
namespace {

constexpr std::array<ContactStatus, 3> kKinds{ContactStatus::kHit, ContactStatus::kOverlap,
                                              ContactStatus::kGraze};

std::string depth_text(const io::ToldEpisode& episode) {
  if (!episode.deepest) return {};
  return fmt::format("{}{:.3f}", episode.deepest->through ? ">= " : "", episode.deepest->depth);
}

void put_right(std::string_view text) {
  const float wide = ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() +
                       std::max(0.0F, ImGui::GetContentRegionAvail().x - wide));
  put(text);
}

/// "0.02", "2cm", "5 mm": metres; none: it is no length of 0 or more.
std::optional<double> length_of(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  double unit = 1.0;
  for (const auto& [name, metres] :
       {std::pair<std::string_view, double>{"mm", 1e-3}, {"cm", 1e-2}, {"m", 1.0}}) {
    if (!text.ends_with(name)) continue;
    unit = metres;
    text.remove_suffix(name.size());
    break;
  }
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!(value >= 0.0) || !std::isfinite(value)) return std::nullopt;
  return value * unit;
}

std::vector<std::string> patterns_of(const std::string& text) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      out.push_back(std::exchange(word, {}));
    }
  }
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

}  // namespace

void Panels::choice(const char* id, const char* all, std::string& filter,
                    const std::function<std::vector<std::string>()>& values) {
  const std::string shown =
      elided(filter.empty() ? all : filter, ImGui::CalcItemWidth() - 2.2F * ImGui::GetFontSize());
  const bool opened = ImGui::BeginCombo(fmt::format("##{}", id).c_str(), shown.c_str());
  name_item(id);
  if (!opened) return;
  const auto row = [&](int number, const std::string& text, const std::string& value) {
    ImGui::PushID(number);
    const bool chosen = ImGui::Selectable("##value", filter == value);
    name_item(fmt::format("{} {}", id, number));
    ImGui::SameLine(0.0F, 0.0F);
    put(plain(text));
    ImGui::PopID();
    if (chosen) filter = value;
  };
  row(0, all, {});
  const std::vector<std::string> all_values = values();
  for (std::size_t i = 0; i < all_values.size(); ++i) {
    row(static_cast<int>(i) + 1, all_values[i], all_values[i]);
  }
  ImGui::EndCombo();
}

void Panels::draw_filters(Player& player) {
  Filters filters = player.filters();
  const float half = 0.5F * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
  ImGui::SetNextItemWidth(half);
  choice("links", "all links", filters.link, [&player] { return player.link_texts(); });
  ImGui::SameLine();
  ImGui::SetNextItemWidth(half);
  choice("objects", "all objects", filters.thing, [&player] { return player.thing_texts(); });
  for (const ContactStatus kind : kKinds) {
    bool& shows = filters.kinds.at(static_cast<std::size_t>(kind));
    ImGui::Checkbox(fmt::format("##{}", kind_text(kind)).c_str(), &shows);
    name_item(kind_text(kind));
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    put_kind(kind, kind_text(kind));
    ImGui::SameLine(0.0F, 1.1F * ImGui::GetFontSize());
  }
  const std::size_t all = player.story().episodes.size();
  player.set_filters(std::move(filters));
  const std::size_t left = player.listed().size();
  put_soft(left == all ? fmt::format("{} episode{}", all, all == 1 ? "" : "s")
                       : fmt::format("{} of {}", left, all));
}

void Panels::draw_rows(Player& player, float height) {
  const Story& story = player.story();
  // Whole rows, so that no text is cut in half: below the table, and when it is scrolled.
  const float row_high = ImGui::GetTextLineHeight() + 2.0F * ImGui::GetStyle().CellPadding.y;
  height = row_high * std::max(2.0F, std::floor(height / row_high));
  const std::vector<std::size_t> rows = player.listed();
  if (rows.empty()) {
    put_soft(story.episodes.empty() ? "There is none." : "The filters leave none.");
    ImGui::Dummy({1.0F, std::max(1.0F, height - ImGui::GetTextLineHeightWithSpacing())});
    return;
  }
  const auto em = ImGui::GetFontSize();
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                     ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_PadOuterX;
  if (!ImGui::BeginTable("rows", 6, kFlags, {0.0F, height})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("From, s", ImGuiTableColumnFlags_WidthFixed, 3.0F * em);
  ImGui::TableSetupColumn("Link", ImGuiTableColumnFlags_WidthStretch, 1.0F);
  ImGui::TableSetupColumn("Touches", ImGuiTableColumnFlags_WidthStretch, 1.0F);
  ImGui::TableSetupColumn("Kind", ImGuiTableColumnFlags_WidthFixed, 4.0F * em);
  ImGui::TableSetupColumn("Lasts, s", ImGuiTableColumnFlags_WidthFixed, 3.2F * em);
  ImGui::TableSetupColumn("Depth, m", ImGuiTableColumnFlags_WidthFixed, 3.9F * em);
  ImGui::TableHeadersRow();
  const auto chosen_row = player.chosen()
                              ? std::find(rows.begin(), rows.end(), *player.chosen()) - rows.begin()
                              : static_cast<std::ptrdiff_t>(rows.size());
  if (player.chosen() != scrolled_to_) {
    scrolled_to_ = player.chosen();
    const float at = static_cast<float>(chosen_row) * row_high;
    ImGui::SetScrollY(std::max(0.0F, at - 0.4F * height));
  }
  scroll_by_whole(row_high);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()), row_high);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const std::size_t episode = rows[static_cast<std::size_t>(i)];
      const StoryEpisode& e = story.episodes[episode];
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushID(i);
      const float top = ImGui::GetCursorScreenPos().y;
      const bool clicked = ImGui::Selectable("##row", player.chosen() == episode,
                                             ImGuiSelectableFlags_SpanAllColumns);
      name_item(fmt::format("row {}", i));
      see_text(top, top + ImGui::GetTextLineHeight());
      ImGui::PopID();
      ImGui::SameLine(0.0F, 0.0F);
      put_right(fmt::format("{:.3f}", e.told.seconds[0]));
      for (const std::string* const text : {&e.link_text, &e.thing_text}) {
        ImGui::TableNextColumn();
        put_elided(*text, ImGui::GetContentRegionAvail().x);
      }
      ImGui::TableNextColumn();
      put_kind(e.told.first.status, kind_text(e.told.first.status));
      ImGui::TableNextColumn();
      put_right(fmt::format("{:.3f}", e.told.seconds[1] - e.told.seconds[0]));
      ImGui::TableNextColumn();
      put_right(depth_text(e.told));
      if (clicked) {
        player.choose(episode);
        scrolled_to_ = player.chosen();
      }
    }
  }
  ImGui::EndTable();
}

void Panels::draw_shown(Player& player, const PanelTexts& texts) {
  Shown& shown = player.shown();
  const auto box = [this](const char* name, const char* text, bool& value) {
    ImGui::Checkbox(fmt::format("{}##{}", text, name).c_str(), &value);
    name_item(name);
  };
  box("room", "room", shown.room);
  ImGui::SameLine();
  box("sweep", "swept surfaces", shown.sweep);
  ImGui::SameLine();
  box("tree", "tree", shown.tree);
  ImGui::SameLine();
  box("candidates", "candidates", shown.candidates);
  const auto button = [this](const char* name, const char* text, Action action) {
    if (ImGui::Button(fmt::format("{}##{}", text, name).c_str())) wishes_.actions.push_back(action);
    name_item(name);
  };
  button("overview", "Overview", Action::kOverview);
  ImGui::SameLine();
  button("follow", player.followed() ? "Stop following" : "Follow", Action::kFollow);
  ImGui::SameLine();
  button("camera", player.rig().mode() == Rig::Mode::kWalk ? "Orbit" : "Walk", Action::kCamera);
  ImGui::SameLine();
  button("shot", "Screenshot", Action::kScreenshot);
  ImGui::SameLine();
  button("film", texts.filming ? "End film" : "Film", Action::kFilm);
}

void Panels::draw_checks(const PanelTexts& texts, const CheckWish& wish) {
  ImGui::Separator();
  const float label_wide = 5.2F * ImGui::GetFontSize();
  const auto text_label = [label_wide](const char* text) {
    ImGui::AlignTextToFramePadding();
    put(text);
    ImGui::SameLine(label_wide);
  };
  bool asked = false;
  text_label("Margin");
  ImGui::SetNextItemWidth(5.5F * ImGui::GetFontSize());
  if (writes_ != Field::kMargin && !edits_margin_) {
    margin_text_ = fmt::format("{} m", wish.margin);
  }
  if (writes_ == Field::kMargin) ImGui::SetKeyboardFocusHere();
  asked =
      ImGui::InputText("##margin", &margin_text_,
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  edits_margin_ = ImGui::IsItemActive();
  if (ImGui::IsItemActivated() || ImGui::IsItemEdited()) forget_error();
  name_item("margin");
  ImGui::SameLine(0.0F, 1.2F * ImGui::GetFontSize());
  CheckWish next = wish;
  int between = wish.in_between == InBetween::kScrew ? 0 : 1;
  const bool screw = ImGui::RadioButton("screw", &between, 0);
  name_item("screw");
  ImGui::SameLine();
  const bool other = ImGui::RadioButton("translate_rotate", &between, 1);
  name_item("translate_rotate");
  text_label("Ignore");
  ImGui::SetNextItemWidth(-1.0F);
  if (writes_ != Field::kIgnore && !edits_ignore_) {
    ignore_text_ = joined(wish.ignore);
  }
  if (writes_ == Field::kIgnore) ImGui::SetKeyboardFocusHere();
  asked = ImGui::InputTextWithHint("##ignore", "LINK:OBJECT, with * and ?; several with spaces",
                                   &ignore_text_, ImGuiInputTextFlags_EnterReturnsTrue) ||
          asked;
  edits_ignore_ = ImGui::IsItemActive();
  if (ImGui::IsItemActivated() || ImGui::IsItemEdited()) forget_error();
  name_item("ignore");
  writes_ = Field::kNone;
  if (asked || screw || other) {
    field_error_.clear();
    if (const auto margin = length_of(margin_text_)) {
      next.margin = *margin;
      // A pattern may have spaces: only what was written anew is taken apart.
      if (ignore_text_ != joined(wish.ignore)) next.ignore = patterns_of(ignore_text_);
      next.in_between = between == 0 ? InBetween::kScrew : InBetween::kTranslateRotate;
      wishes_.check = std::move(next);
    } else {
      field_error_ = "Margin: a length of 0 or more, such as 0.02 or 2cm";
    }
  }
  put_fitting(!field_error_.empty() ? field_error_ : texts.check, ImGui::GetContentRegionAvail().x);
}

void Panels::draw_live() {
  ImGui::Separator();
  for (const std::string& line : live_lines_) put(line);
}

void Panels::draw_list(Player& player, const Rect& at, const PanelTexts& texts) {
  draw_filters(player);
  const float line = ImGui::GetFrameHeightWithSpacing();
  constexpr std::size_t kMostLines = 4;  // of one text
  live_texts_ = texts.live;
  live_lines_.clear();
  for (const std::string& text : live_texts_) {
    for (std::string& part : wrapped(text, ImGui::GetContentRegionAvail().x, kMostLines)) {
      live_lines_.push_back(std::move(part));
    }
  }
  const float live =
      0.4F * line + ImGui::GetTextLineHeightWithSpacing() * static_cast<float>(live_lines_.size());
  const float below = (texts.checks ? 5.1F : 2.1F) * line + (live_lines_.empty() ? 0.0F : live);
  const float used = ImGui::GetCursorScreenPos().y - static_cast<float>(at.top);
  draw_rows(player, std::max(3.0F * line, static_cast<float>(at.height) - used - below));
  draw_shown(player, texts);
}

}  // namespace tocsin::view
