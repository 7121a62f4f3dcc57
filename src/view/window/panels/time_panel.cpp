// The panel of time: play, sliders, and a lane for each link that touches something.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "view/colours.h"
#include "view/window/panels/panels.h"
#include "view/window/panels/parts.h"

namespace tocsin::view {
namespace {

/// Pixels of a lane, by time.
struct LaneScale {
  double from = 0.0;
  double whole = 1.0;
  float left = 0.0F;
  float width = 1.0F;
  [[nodiscard]] float x(double seconds) const {
    return left + static_cast<float>((seconds - from) / whole) * width;
  }
  [[nodiscard]] double seconds(float at) const {
    return from + std::clamp(static_cast<double>((at - left) / width), 0.0, 1.0) * whole;
  }
};

/// A bar of a kind in its form: hits with a head, overlaps plain, grazes hatched.
void draw_bar(ImDrawList& list, ContactStatus kind, float left, float right, float top,
              float height, double alpha) {
  right = std::max(right, left + 2.5F);
  const float inset = 0.2F * height;
  list.AddRectFilled({left, top + inset}, {right, top + height - inset},
                     ink_of(kind_colour(kind), alpha));
  if (kind == ContactStatus::kHit) {  // a head: here it begins
    list.AddRectFilled({left - 1.0F, top + 1.0F}, {left + 2.0F, top + height - 1.0F},
                       ink_of(kind_colour(kind), alpha));
  }
  if (kind != ContactStatus::kGraze) return;
  list.PushClipRect({left, top + inset}, {right, top + height - inset}, true);
  const float step = 0.35F * height;
  for (float x = left - height; x < right; x += step) {
    list.AddLine({x, top + height}, {x + height, top}, ink_of(kInkColour, alpha), 1.0F);
  }
  list.PopClipRect();
}

/// Seconds between ticks, so that some eight are in sight.
double tick_step(double whole) {
  const double wanted = std::max(whole, 1e-9) / 8.0;
  const double power = std::pow(10.0, std::floor(std::log10(wanted)));
  for (const double k : {1.0, 2.0, 5.0}) {
    if (k * power >= wanted) return k * power;
  }
  return 10.0 * power;
}

/// Lines at whole times, and, where `texts`, what they are.
void draw_ticks(ImDrawList& list, const LaneScale& scale, float top, float bottom, bool texts) {
  const double step = tick_step(scale.whole);
  const int decimals = step < 0.1 ? 3 : step < 1.0 ? 1 : 0;
  const double first = std::ceil(scale.from / step);
  for (double k = first; k * step <= scale.from + scale.whole + 1e-9; k += 1.0) {
    const float x = scale.x(k * step);
    list.AddLine({x, top}, {x, bottom}, ink_of({0.84F, 0.86F, 0.89F}));
    if (!texts) continue;
    const std::string text = fmt::format("{:.{}f} s", k * step + 0.0, decimals);  // no -0.0
    // A text that would be cut off at the edge is left out.
    if (x + 3.0F + ImGui::CalcTextSize(text.c_str()).x > scale.left + scale.width + 8.0F) continue;
    list.AddText({x + 3.0F, top}, ink_of(kSoftColour), text.c_str());
  }
}

void draw_clearance(ImDrawList& list, const StoryLane& lane, const LaneScale& scale, float bottom) {
  const auto count = static_cast<double>(lane.clearance.size());
  for (std::size_t i = 0; i < lane.clearance.size(); ++i) {
    const auto& metres = lane.clearance[i];
    if (!metres || *metres <= 0.0 || *metres > kNearClearance) continue;
    const auto thick = static_cast<float>(1.5 + 4.5 * (1.0 - *metres / kNearClearance));
    const float left = scale.x(scale.from + static_cast<double>(i) / count * scale.whole);
    const float right = scale.x(scale.from + static_cast<double>(i + 1) / count * scale.whole);
    list.AddRectFilled({left, bottom - 1.0F - thick}, {std::max(right, left + 1.0F), bottom - 1.0F},
                       ink_of(kClearanceColour));
  }
}

void draw_lane(ImDrawList& list, const Story& story, const StoryLane& lane, const LaneScale& scale,
               float top, float height, const std::set<std::size_t>& listed) {
  draw_clearance(list, lane, scale, top + height);
  const auto alpha = [&listed](std::size_t episode) {
    return listed.contains(episode) ? 1.0 : 0.15;
  };
  std::size_t drawn_to = 0;
  float last = -1.0F;
  for (const std::size_t i : lane.contacts) {
    const StoryContact& c = story.contacts[i];
    const float left = scale.x(c.told.seconds[1]);
    const float right = scale.x(std::max(c.span[1], c.told.seconds[1]));
    // Of thousands in a pixel one is drawn.
    if (c.episode == drawn_to && right < last + 0.5F) continue;
    drawn_to = c.episode;
    last = right;
    draw_bar(list, c.told.status, left, right, top, height, alpha(c.episode));
  }
}

/// "left hand: no stream".
std::string lane_text(const Story& story, const StoryLane& lane) {
  for (const StoryFigure& figure : story.figures) {
    if (!lane.link.empty() || figure.index != lane.avatar || figure.state.empty()) continue;
    return fmt::format("{}: {}", lane.name, figure.state);
  }
  return lane.name;
}

/// A session: a line while it is there, and each kind of mark in a form of its own.
void draw_session(ImDrawList& list, const Story& story, const StoryLane& lane,
                  const LaneScale& scale, float top, float height) {
  const float middle = top + 0.5F * height;
  for (const StoryFigure& figure : story.figures) {
    if (figure.index != lane.avatar || !figure.live) continue;
    const float left = scale.x(figure.steps.front().seconds(0.0));
    const float right = scale.x(figure.steps.back().seconds(1.0));
    list.AddLine({left, middle}, {std::max(right, left + 1.0F), middle}, ink_of(kSoftColour), 2.0F);
  }
  const ImU32 ink = ink_of(kInkColour);
  for (const std::size_t i : lane.marks) {
    const StoryMark& mark = story.marks[i];
    const float left = scale.x(mark.seconds[0]);
    const float right = std::max(scale.x(mark.seconds[1]), left + 2.5F);
    const float low = top + 0.2F * height;
    const float high = top + 0.8F * height;
    switch (mark.kind) {
      case MarkKind::kLate:
      case MarkKind::kDuplicate:  // above the line, below it
        list.AddTriangleFilled({left - 3.0F, mark.kind == MarkKind::kLate ? low : high},
                               {left + 3.0F, mark.kind == MarkKind::kLate ? low : high},
                               {left, middle}, ink);
        break;
      case MarkKind::kSkipped:
        list.AddRect({left, low}, {right, high}, ink, 0.0F, 0, 1.5F);
        break;
      case MarkKind::kBad:
        list.AddLine({left - 3.0F, low}, {left + 3.0F, high}, ink, 1.5F);
        list.AddLine({left - 3.0F, high}, {left + 3.0F, low}, ink, 1.5F);
        break;
      case MarkKind::kMissed:
        list.AddRectFilled({left, low}, {right, high}, ink_of(kInkColour, 0.35));
        break;
      case MarkKind::kNoStream:
        list.AddCircle({left, middle}, 0.28F * height, ink, 12, 1.5F);
        break;
      case MarkKind::kEnded:
        list.AddRectFilled({left - 1.0F, low}, {left + 1.0F, high}, ink);
        break;
    }
  }
}

}  // namespace

void Panels::draw_time(Player& player, const Rect& at) {
  if (begin_panel("time", at)) {
    draw_transport(player);
    draw_sliders(player);
    draw_lanes(player);
  }
  end_panel();
}

void Panels::draw_transport(Player& player) {
  const auto button = [this](const char* name, const std::string& text, Action action) {
    if (ImGui::Button(fmt::format("{}##{}", text, name).c_str())) wishes_.actions.push_back(action);
    name_item(name);
    ImGui::SameLine();
  };
  button("play", player.playing() ? "Pause" : "Play", Action::kPlay);
  button("previous", "Previous contact", Action::kPreviousContact);
  button("next", "Next contact", Action::kNextContact);
  button("step-back", "< step", Action::kPreviousStep);
  button("step-on", "step >", Action::kNextStep);
  if (!player.story().complete)
    button("live", player.live() ? "Live" : "Back to live", Action::kEnd);
  ImGui::SetNextItemWidth(6.2F * ImGui::GetFontSize());
  const bool opened = ImGui::BeginCombo("##speed", kSpeeds.at(player.speed()).text);
  name_item("speed");
  if (opened) {
    for (std::size_t i = 0; i < kSpeeds.size(); ++i) {
      if (ImGui::Selectable(kSpeeds.at(i).text, player.speed() == i)) player.set_speed(i);
      name_item(fmt::format("speed {}", i));
    }
    ImGui::EndCombo();
  }
  ImGui::SameLine(0.0F, 1.2F * ImGui::GetFontSize());
  for (const ContactStatus kind :
       {ContactStatus::kHit, ContactStatus::kOverlap, ContactStatus::kGraze}) {
    ImGui::AlignTextToFramePadding();
    put_kind(kind, kind_text(kind));
    ImGui::SameLine(0.0F, 0.8F * ImGui::GetFontSize());
  }
  const auto& lanes = player.story().lanes;
  const bool near = std::any_of(lanes.begin(), lanes.end(),
                                [](const StoryLane& lane) { return !lane.clearance.empty(); });
  if (near) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetTextLineHeight();
    ImGui::GetWindowDrawList()->AddRectFilled({from.x, from.y + 0.6F * height},
                                              {from.x + height, from.y + 0.85F * height},
                                              ink_of(kClearanceColour));
    ImGui::Dummy({height, height});
    ImGui::SameLine(0.0F, 0.3F * height);
    put_fitting("clearance below 0.1 m", ImGui::GetContentRegionAvail().x);
  } else {
    ImGui::NewLine();
  }
}

void Panels::draw_sliders(Player& player) {
  const Story& story = player.story();
  const float em = ImGui::GetFontSize();
  const float texts = 21.0F * em;
  const float slider = std::max(60.0F, ImGui::GetContentRegionAvail().x - texts);
  ImGui::SetNextItemWidth(slider);
  double now = player.now();
  const std::array<double, 2> times = story.times;
  if (ImGui::SliderScalar("##scrub", ImGuiDataType_Double, &now, &times[0], &times[1], "")) {
    player.set_playing(false);
    player.seek(now);
  }
  name_item("scrub");
  ImGui::SameLine();
  put_fitting(fmt::format("{:.4f} s of {:.3f} s", player.now(), times[1]), texts - em);

  const auto in = slid_ ? slid_ : player.within();
  double t =
      in ? std::clamp((player.now() - in->span[0]) / (in->span[1] - in->span[0]), 0.0, 1.0) : 0.0;
  constexpr double kBegin = 0.0;
  constexpr double kEnd = 1.0;
  ImGui::SetNextItemWidth(slider);
  if (ImGui::SliderScalar("##within", ImGuiDataType_Double, &t, &kBegin, &kEnd, "") && in) {
    slid_ = in;
    player.set_playing(false);
    player.seek(in->span[0] + t * (in->span[1] - in->span[0]));
  }
  if (!ImGui::IsItemActive()) slid_.reset();
  name_item("within");
  ImGui::SameLine();
  if (in) {
    put_fitting(within_text(story, *in, t), texts - em);
  } else {
    put_soft("a pose");
  }
}

void Panels::draw_lanes(Player& player) {
  const Story& story = player.story();
  const auto scale = static_cast<float>(scale_);
  const float lane_height = std::floor(18.0F * scale);
  const float axis = std::floor(19.0F * scale);
  const float label_wide = std::floor(190.0F * scale);
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  LaneScale time;
  time.from = story.times[0];
  time.whole = std::max(1e-9, story.times[1] - story.times[0]);
  time.left = begin.x + label_wide;
  // Room for the bar that scrolls, whether it is there or not: times stay where they are.
  time.width = std::max(10.0F, ImGui::GetContentRegionAvail().x - label_wide - 24.0F * scale);
  draw_ticks(*ImGui::GetWindowDrawList(), time, begin.y, begin.y + axis, true);
  ImGui::SetCursorScreenPos({begin.x, begin.y + axis});
  ImVec2 room = ImGui::GetContentRegionAvail();
  // Whole lanes, so that no name is cut in half: at the edge, and when they are scrolled.
  room.y = lane_height * std::max(1.0F, std::floor(room.y / lane_height));
  ImGui::BeginChild("lanes", room, false, ImGuiWindowFlags_NoSavedSettings);
  if (player.chosen() != lane_of_) {
    lane_of_ = player.chosen();
    for (std::size_t i = 0; lane_of_ && i < story.lanes.size(); ++i) {
      const auto& of_lane = story.lanes[i].episodes;
      if (std::find(of_lane.begin(), of_lane.end(), *lane_of_) == of_lane.end()) continue;
      const float middle = lane_height * (static_cast<float>(i) + 0.5F);
      ImGui::SetScrollY(std::max(0.0F, middle - 0.5F * room.y));
      break;
    }
  }
  scroll_by_whole(lane_height);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x;
  const float height = lane_height * static_cast<float>(story.lanes.size());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_ticks(list, time, from.y, from.y + height, false);
  const auto rows = player.listed();
  const std::set<std::size_t> listed(rows.begin(), rows.end());
  const float see_top = ImGui::GetWindowPos().y;
  const float see_bottom = see_top + ImGui::GetWindowHeight();
  for (std::size_t i = 0; i < story.lanes.size(); ++i) {
    const float top = from.y + lane_height * static_cast<float>(i);
    if (top + lane_height < see_top || top > see_bottom) continue;
    list.AddRectFilled({time.left, top}, {time.left + time.width, top + lane_height},
                       ink_of({0.35F, 0.39F, 0.45F}, i % 2 == 0 ? 0.07 : 0.03));
    const std::string name = lane_text(story, story.lanes[i]);
    const float label = label_wide - 8.0F * scale;
    const bool is_session = story.lanes[i].link.empty();  // its state may be cut, its name not
    const std::string shown = is_session ? fitting(name, label) : elided(name, label);
    list.AddText({from.x, top}, ink_of(kInkColour), shown.c_str());
    see_text(top, top + lane_height);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool points = ImGui::IsWindowHovered() && mouse.x >= from.x && mouse.x < time.left &&
                        mouse.y >= top && mouse.y < top + lane_height;
    if (points && shown != plain(name)) put_whole(name);
    draw_lane(list, story, story.lanes[i], time, top, lane_height, listed);
    if (story.lanes[i].link.empty())
      draw_session(list, story, story.lanes[i], time, top, lane_height);
  }
  if (story.lanes.empty() && story.complete) {
    const std::string none = fmt::format("{} links, none of them in contact", story.links);
    list.AddText(from, ink_of(kSoftColour), none.c_str());
  }
  const float now = time.x(player.now());
  list.AddRectFilled({now - 0.75F, from.y}, {now + 0.75F, from.y + height}, ink_of(kInkColour));

  ImGui::InvisibleButton("##timeline", {std::max(1.0F, wide), std::max(height, lane_height)});
  name_item("timeline");
  for (std::size_t i = 0; keeps_names_ && i < story.lanes.size(); ++i) {
    const auto top = static_cast<int>(from.y + lane_height * static_cast<float>(i));
    for (const std::size_t e : story.lanes[i].episodes) {
      const io::ToldEpisode& told = story.episodes[e].told;
      const auto left = static_cast<int>(time.x(told.seconds[0]));
      items_[fmt::format("lane {} episode {}", i, e)] = {
          left, top, std::max(3, static_cast<int>(time.x(told.seconds[1])) - left),
          static_cast<int>(lane_height)};
    }
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsItemActivated()) {
    drags_time_ = true;
    const auto lane = static_cast<std::ptrdiff_t>((mouse.y - from.y) / lane_height);
    if (mouse.x >= time.left && mouse.y >= from.y &&
        lane < static_cast<std::ptrdiff_t>(story.lanes.size())) {
      for (const std::size_t e : story.lanes[static_cast<std::size_t>(lane)].episodes) {
        const io::ToldEpisode& told = story.episodes[e].told;
        const float left = time.x(told.seconds[0]);
        const float right = std::max(time.x(told.seconds[1]), left + 2.5F);
        if (mouse.x < left - 5.0F || mouse.x > right + 5.0F) continue;
        player.choose(e);
        drags_time_ = false;
        break;
      }
    }
  }
  if (ImGui::IsItemActive() && drags_time_ && mouse.x >= time.left - 5.0F) {
    player.set_playing(false);
    player.seek(time.seconds(mouse.x));
  }
  ImGui::EndChild();
}

}  // namespace tocsin::view
