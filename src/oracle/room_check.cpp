#include "oracle/room_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "oracle/check_contact.h"
#include "oracle/prove.h"

namespace tocsin::oracle {
namespace {

using ObjectPair = std::pair<std::int32_t, std::uint32_t>;  // link, object

class RoomCheck {
 public:
  RoomCheck(const MovingAvatar& avatar, const Room& room, const MeetingOptions& options,
            ClaimCheck& check)
      : avatar_(avatar),
        member_(*avatar.claim->member),
        room_(room),
        environment_(room.environment),
        options_(options),
        check_(check) {}

  void run() {
    sort_contacts();
    for (std::size_t i = 0; i < avatar_.links.size(); ++i) {
      check_link(static_cast<std::int32_t>(i));
    }
  }

 private:
  void refute(const std::string& sentence) {
    check_.refute(fmt::format("{}: {}", avatar_.name, sentence));
  }

  [[nodiscard]] bool is_active(const ObjectPair& p) const {
    return member_.active.active(p.first, p.second);
  }

  [[nodiscard]] std::string name(const ObjectPair& p) const {
    return fmt::format("{} against {}", avatar_.link_name(p.first),
                       environment_.objects()[p.second].name);
  }

  [[nodiscard]] Subject subject(const ObjectPair& p, std::uint32_t triangle) const {
    return {fmt::format("{}: {}", avatar_.name, name(p)), fmt::format("triangle {}", triangle),
            "the radius"};
  }

  // Fills by_pair_, and refutes contacts that make no sense.
  void sort_contacts() {
    for (const Contact& c : avatar_.claim->contacts) {
      if (c.room() == nullptr) continue;
      const auto& [object, triangle] = *c.room();
      if (c.link < 0 || static_cast<std::size_t>(c.link) >= avatar_.links.size() ||
          object >= environment_.objects().size() ||
          triangle >= environment_.objects()[object].triangle_count) {
        refute(fmt::format("a contact of link {}, object {}, triangle {}: there is no such thing",
                           c.link, object, triangle));
        continue;
      }
      const ObjectPair pair{c.link, object};
      if (!is_active(pair)) refute(fmt::format("{}: reported although it is ignored", name(pair)));
      if (!by_pair_.emplace(pair, &c).second) {
        refute(fmt::format("{}: reported more than once", name(pair)));
      }
    }
  }

  void check_link(std::int32_t index) {
    const MovingLink& link = avatar_.links[static_cast<std::size_t>(index)];
    for (std::uint32_t o = 0; o < environment_.objects().size(); ++o) {
      if (is_active({index, o})) ++check_.verdict().pairs;
    }
    for (const std::uint32_t t : nearby(link.path, link.radius, room_.spheres)) {
      const ObjectPair pair{index, environment_.object_of(t)};
      if (is_active(pair)) check_triangle(pair, t, link);
    }
    for (const auto& [pair, contact] : by_pair_) {
      if (pair.first == index) check_own_triangle(pair, *contact, link);
    }
  }

  // Until when a pair without a contact of its own is claimed to be free.
  [[nodiscard]] double free_until() const {
    return options_.contacts_first && avatar_.first != nullptr ? avatar_.first->toc[0] : 1.0;
  }

  // A triangle of a pair's object must be free whenever the pair is.
  void check_triangle(const ObjectPair& pair, std::uint32_t triangle, const MovingLink& link) {
    const auto found = by_pair_.find(pair);
    FreeTimes times = free_times(found == by_pair_.end() ? nullptr : found->second, free_until());
    extend(times, avatar_.claim->safe_until);
    Prover prover(link.path, environment_.corners(triangle), link.radius);
    ++check_.verdict().near;
    const std::uint32_t first = environment_.objects()[pair.second].first_triangle;
    check_.check_free(subject(pair, triangle - first), prover, times);
  }

  // Checks a contact's claims about its triangle.
  void check_own_triangle(const ObjectPair& pair, const Contact& contact, const MovingLink& link) {
    const std::uint32_t triangle = contact.room()->triangle;
    const Subject about = subject(pair, triangle);
    if (!bracket_makes_sense(contact)) {
      check_.refute(impossible_bracket(about, contact));
      return;
    }
    const std::array<Vec3f, 3> corners =
        environment_.corners(environment_.objects()[pair.second].first_triangle + triangle);
    Prover prover(link.path, corners, link.radius);
    check_.check_touch(about, prover, contact);
    if (const auto fault = fault_of_geometry(contact, link.path, corners)) {
      check_.refute(fault_sentence(about, contact, *fault));
    }
  }

  const MovingAvatar& avatar_;
  const Member& member_;
  const Room& room_;
  const Environment& environment_;
  const MeetingOptions& options_;
  ClaimCheck& check_;
  std::map<ObjectPair, const Contact*> by_pair_;
};

}  // namespace

void check_room(const MovingAvatar& avatar, const Room& room, const MeetingOptions& options,
                ClaimCheck& check) {
  RoomCheck(avatar, room, options, check).run();
}

}  // namespace tocsin::oracle
