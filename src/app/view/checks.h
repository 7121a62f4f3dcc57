// The source of a window's story: a report or a check, and checks of it again on a thread of its
// own.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "app/export/shown_report.h"
#include "view/sight.h"
#include "view/window/checker.h"

namespace tocsin::app {

class Checks final : public view::StoryChecker {
 public:
  /// Begins with that. Errors: as story_of().
  static Result<std::unique_ptr<Checks>> make(std::shared_ptr<const ShownReport> shown);
  ~Checks() override;

  [[nodiscard]] std::shared_ptr<const view::Story> latest() override;
  void ask(const view::CheckWish& wish) override;
  [[nodiscard]] view::CheckWish wish() const override;
  [[nodiscard]] std::string state() const override;
  [[nodiscard]] bool busy() const override;

 private:
  Checks() = default;
  void work(const std::stop_token& stop);
  /// `warning`: the first one of the options.
  Result<std::shared_ptr<const view::Story>> check(const view::CheckWish& wish,
                                                   const std::stop_token& stop,
                                                   std::string& warning) const;

  std::shared_ptr<const ShownReport> shown_;  ///< that of the beginning: its options, its room
  std::shared_ptr<const view::Sight> sight_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::shared_ptr<const view::Story> story_;
  view::CheckWish told_;  ///< that story_ was checked with
  std::optional<view::CheckWish> asked_;
  std::optional<view::CheckWish> doing_;  ///< what is being checked with
  std::stop_source under_way_;
  std::string problem_;  ///< or a warning of the last check
  std::jthread worker_;  ///< last: it uses all of the above
};

}  // namespace tocsin::app
