// What the other members of a meeting may know of a session.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tocsin::service {

/// Nothing in it is secret. It does not contain the session's id.
struct MemberCard {
  std::uint32_t number = 0;  ///< MeetingInfo::member
  std::string label;
  std::vector<std::string> links;  ///< names
};

/// In order of number.
using MemberCards = std::vector<std::shared_ptr<const MemberCard>>;

}  // namespace tocsin::service
