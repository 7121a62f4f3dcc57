// Pending tasks of the workers.
#pragma once

#include <functional>

#include "service/schedule/fair_queue.h"

namespace tocsin::service {

using TaskQueue = FairQueue<std::function<void()>>;

}  // namespace tocsin::service
