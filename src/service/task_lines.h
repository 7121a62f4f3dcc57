// Tasks that wait for a worker.
#pragma once

#include <functional>

#include "service/turn_lines.h"

namespace tocsin::service {

using TaskLines = TurnLines<std::function<void()>>;

}  // namespace tocsin::service
