// An avatar, and what of it is looked at.
#pragma once

#include "tocsin/active_pairs.h"
#include "tocsin/avatar.h"
#include "tocsin/link_pairs.h"

namespace tocsin {

/// One of several avatars that are checked together.
struct Member {
  Avatar avatar;
  ActivePairs active = {};  ///< against the environment
  LinkPairs self = {};      ///< against itself
};

}  // namespace tocsin
