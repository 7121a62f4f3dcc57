// Pending tasks of the workers.
#pragma once

#include <functional>

#include "service/schedule/turn_lines.h"

namespace tocsin::service {

using TaskLines = TurnLines<std::function<void()>>;

}  // namespace tocsin::service
