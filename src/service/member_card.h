// What others are told of a session that they meet.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tocsin::service {

/// Nothing of it is a secret: the session's id is not in it.
struct MemberCard {
  std::uint32_t number = 0;  ///< MeetingInfo::member
  std::string label;
  std::vector<std::string> links;  ///< names
};

/// In order of number.
using MemberCards = std::vector<std::shared_ptr<const MemberCard>>;

}  // namespace tocsin::service
