// An avatar, and which of its pairs are checked.
#pragma once

#include <utility>

#include "tocsin/active_pairs.h"
#include "tocsin/avatar.h"
#include "tocsin/link_pairs.h"

namespace tocsin {

/// An avatar that is checked, alone or with others. An avatar converts to a Member that has
/// all pairs with the environment, and no pairs of its own links.
struct Member {
  Member() = default;
  // NOLINTNEXTLINE(google-explicit-constructor)
  Member(Avatar of, ActivePairs pairs = {}, LinkPairs own = {})
      : avatar(std::move(of)), active(std::move(pairs)), self(std::move(own)) {}

  Avatar avatar;
  ActivePairs active;  ///< against the environment
  LinkPairs self;      ///< against itself
};

}  // namespace tocsin
