// From the options of `tocsin send` to what is sent.
#pragma once

#include <string>
#include <vector>

#include "app/send/send_options.h"
#include "app/send/send_walker.h"

namespace tocsin::app {

/// Reads the take, a model that is a file, and what the avatar holds. Warnings are those of
/// reading. Errors: as load_motion, load_avatar_model and Avatar::bind; kUsage: --place or --frames
/// out of range.
Result<std::unique_ptr<SendPlan>> make_send_plan(const SendOptions& options,
                                                 std::vector<std::string>& warnings);

}  // namespace tocsin::app
