// Options that are checked again while a window plays.
#pragma once

#include <string>
#include <vector>

#include "tocsin/types.h"
#include "view/window/story.h"

namespace tocsin::view {

struct CheckWish {
  double margin = 0.0;              ///< metres, 0 or more
  std::vector<std::string> ignore;  ///< "LINK:OBJECT", shell globs
  InBetween in_between = InBetween::kScrew;
};

/// A source whose options may change.
class StoryChecker : public StorySource {
 public:
  [[nodiscard]] StoryChecker* checker() override { return this; }
  /// Checks again, on another thread; latest() is the answer once it is there. What is under way is
  /// given up.
  virtual void ask(const CheckWish& wish) = 0;
  /// What latest() was checked with, or is being checked with.
  [[nodiscard]] virtual CheckWish wish() const = 0;
  /// "checking ...", or why that failed; empty: all is told.
  [[nodiscard]] virtual std::string state() const = 0;
  [[nodiscard]] virtual bool busy() const = 0;
};

}  // namespace tocsin::view
