// A live motion that threads of Python may share.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "tocsin/live_motion.h"

namespace tocsin::python {

class LivePoses {
 public:
  explicit LivePoses(LiveMotion motion) : motion_(std::move(motion)) {}

  /// LiveMotion::take, then LiveMotion::next. Throws their errors.
  Step next(std::vector<Transform> pose, double tick, InBetween in_between);

 private:
  std::mutex mutex_;
  LiveMotion motion_;
};

}  // namespace tocsin::python
