// verify_meeting's part about links that meet links: of one avatar, and of different ones.
#pragma once

#include <vector>

#include "oracle/claim_check.h"

namespace tocsin::oracle {

/// Checks every active pair of links, and all contacts that have an `other`. `avatars`: in order of
/// index.
void check_meetings(const std::vector<MovingAvatar>& avatars, const MeetingOptions& options,
                    ClaimCheck& check);

}  // namespace tocsin::oracle
