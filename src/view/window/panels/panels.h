// The panels of a window: what they show and what is clicked in them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "view/window/checker.h"
#include "view/window/layout.h"
#include "view/window/player.h"

namespace tocsin::view {

/// What panels show beside the player's state.
struct PanelTexts {
  std::string device;                  ///< what draws
  std::string message;                 ///< about the last thing done: "saved shot-1.png"
  std::string check;                   ///< of the checker: "checking ...", an error
  bool checks = false;                 ///< there is a checker
  std::vector<std::string> live = {};  ///< about a live source
  bool filming = false;
  std::vector<std::string> study;  ///< about the link's tree and candidates
};

/// What was asked for by the pointer.
struct PanelWishes {
  std::vector<Action> actions;
  std::optional<CheckWish> check;
};

class Panels {
 public:
  /// Between Ui::begin() and Ui::draw(). Changes the player as it is told to.
  PanelWishes draw(Player& player, const Panes& layout, const PanelTexts& texts,
                   const CheckWish& wish, double scale);
  /// keeps_names: for place_of() and names(); they cost time.
  explicit Panels(bool keeps_names) : keeps_names_(keeps_names) {}
  /// The cursor goes to the field.
  void write_margin() { writes_ = Field::kMargin; }
  void write_ignore() { writes_ = Field::kIgnore; }
  /// What was said of a wrong value: something else was done since.
  void forget_error() { field_error_.clear(); }
  /// Where a control is, by its name, in the last picture; for scripts. Empty: there is none.
  [[nodiscard]] std::optional<Rect> place_of(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const;
  /// What the last picture said over the view, line by line; for scripts.
  [[nodiscard]] const std::vector<std::string>& labels() const { return labels_; }
  /// What the last picture said about a live source: as it was told, and line by line.
  [[nodiscard]] const std::vector<std::string>& live_texts() const { return live_texts_; }
  [[nodiscard]] const std::vector<std::string>& live_lines() const { return live_lines_; }
  /// Names of rows and lanes that an edge cuts in half.
  [[nodiscard]] int cut_texts() const { return cut_texts_; }
  [[nodiscard]] const std::string& field_error() const { return field_error_; }

 private:
  enum class Field : std::uint8_t { kNone, kMargin, kIgnore };
  void draw_head(const Player& player, const Rect& at, const PanelTexts& texts);
  void draw_labels(const Player& player, const Rect& at, const PanelTexts& texts);
  void draw_keys(const Rect& at);
  void draw_list(Player& player, const Rect& at, const PanelTexts& texts);
  void draw_filters(Player& player);
  void draw_rows(Player& player, float height);
  void draw_shown(Player& player, const PanelTexts& texts);
  void draw_checks(const PanelTexts& texts, const CheckWish& wish);
  void draw_live();
  void draw_time(Player& player, const Rect& at);
  void draw_transport(Player& player);
  void draw_sliders(Player& player);
  void draw_lanes(Player& player);
  /// What the panel of swept surfaces' colours says, at the right edge of the view.
  void draw_sweep_key(float right, float foot);
  /// Counts a text if an edge cuts it.
  void see_text(float top, float bottom);
  /// Remembers where the last control is.
  void name_item(std::string name);
  void choice(const char* id, const char* all, std::string& filter,
              const std::function<std::vector<std::string>()>& values);

  bool keeps_names_;
  double scale_ = 1.0;
  Field writes_ = Field::kNone;
  PanelWishes wishes_;
  std::map<std::string, Rect> items_;
  std::string margin_text_;
  std::string ignore_text_;
  std::string field_error_;
  std::vector<std::string> labels_;
  std::vector<std::string> live_texts_;
  std::vector<std::string> live_lines_;  ///< live_texts_ as they are wrapped
  int cut_texts_ = 0;
  std::optional<std::size_t> scrolled_to_;
  std::optional<std::size_t> lane_of_;  ///< the episode whose lane was last put in sight
  bool drags_time_ = false;
  bool edits_margin_ = false;
  bool edits_ignore_ = false;
  std::optional<Player::Within> slid_;  ///< the step of the slider within it, until it is let go
};

}  // namespace tocsin::view
