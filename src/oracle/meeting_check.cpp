#include "oracle/meeting_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "oracle/check_contact.h"
#include "oracle/prove_pair.h"
#include "oracle/shapes/shape_prover.h"

namespace tocsin::oracle {
namespace {

// One link of all avatars: index of the avatar in the list, and of the link in the avatar.
struct Which {
  std::size_t avatar = 0;
  std::int32_t link = 0;
  friend bool operator<(const Which& p, const Which& q) {
    return std::tie(p.avatar, p.link) < std::tie(q.avatar, q.link);
  }
};

using LinkPair = std::pair<Which, Which>;  // the first is below the second

class MeetingCheck {
 public:
  MeetingCheck(const std::vector<MovingAvatar>& avatars, const MeetingOptions& options,
               ClaimCheck& check)
      : avatars_(avatars), options_(options), check_(check) {}

  void run() {
    for (std::size_t i = 0; i < avatars_.size(); ++i) sort_contacts(i);
    for (std::size_t i = 0; i < avatars_.size(); ++i) {
      if (!member(i).self.none()) check_two(i, i);
      if (!options_.meet) continue;
      for (std::size_t j = i + 1; j < avatars_.size(); ++j) check_two(i, j);
    }
    for (const auto& [pair, contact] : by_pair_) check_contact(pair, *contact);
  }

 private:
  [[nodiscard]] const Member& member(std::size_t i) const { return *avatars_[i].claim->member; }

  [[nodiscard]] const MovingLink& link(const Which& w) const {
    return avatars_[w.avatar].links[static_cast<std::size_t>(w.link)];
  }

  [[nodiscard]] bool is_active(const LinkPair& p) const {
    if (p.first.avatar != p.second.avatar) return options_.meet;
    return member(p.first.avatar).self.active(p.first.link, p.second.link);
  }

  [[nodiscard]] Subject subject(const LinkPair& p) const {
    const MovingAvatar& first = avatars_[p.first.avatar];
    const MovingAvatar& second = avatars_[p.second.avatar];
    std::string who = fmt::format("{}: {} against ", first.name, first.link_name(p.first.link));
    if (p.first.avatar != p.second.avatar) {
      who += fmt::format("avatar {}'s ", second.claim->avatar);
    }
    return {who + second.link_name(p.second.link), "the other link's axis", "the sum of the radii"};
  }

  // Index in the list of the avatar with this number; none if it is not in the list.
  [[nodiscard]] std::optional<std::size_t> place_of(std::int32_t avatar) const {
    const auto found = std::lower_bound(
        avatars_.begin(), avatars_.end(), avatar,
        [](const MovingAvatar& a, std::int32_t wanted) { return a.claim->avatar < wanted; });
    if (found == avatars_.end() || found->claim->avatar != avatar) return std::nullopt;
    return static_cast<std::size_t>(found - avatars_.begin());
  }

  [[nodiscard]] std::optional<Which> which(std::int32_t avatar, std::int32_t index) const {
    const std::optional<std::size_t> place = place_of(avatar);
    if (!place || index < 0 || static_cast<std::size_t>(index) >= avatars_[*place].links.size()) {
      return std::nullopt;
    }
    return Which{*place, index};
  }

  // Fills by_pair_, and refutes contacts that make no sense.
  void sort_contacts(std::size_t i) {
    const MovingAvatar& avatar = avatars_[i];
    for (const Contact& c : avatar.claim->contacts) {
      const OtherLink* const other = c.other();
      if (other == nullptr) continue;
      const std::optional<Which> first = which(avatar.claim->avatar, c.link);
      const std::optional<Which> second = which(other->avatar, other->link);
      if (!first || !second) {
        check_.refute(
            fmt::format("{}: a contact of link {} with avatar {}'s link {}: there is no such thing",
                        avatar.name, c.link, other->avatar, other->link));
        continue;
      }
      const LinkPair pair{*first, *second};
      if (!(*first < *second)) {
        check_.refute(fmt::format("{}: told by the wrong one of the two", subject(pair).who));
        continue;
      }
      if (!is_active(pair)) {
        check_.refute(fmt::format("{}: reported although it is ignored", subject(pair).who));
      }
      if (!by_pair_.emplace(pair, &c).second) {
        check_.refute(fmt::format("{}: reported more than once", subject(pair).who));
      }
    }
  }

  void check_two(std::size_t i, std::size_t j) {
    const bool near = i == j || may_meet(avatars_[i].ball, avatars_[j].ball);
    const auto links_i = static_cast<std::int32_t>(avatars_[i].links.size());
    const auto links_j = static_cast<std::int32_t>(avatars_[j].links.size());
    for (std::int32_t k = 0; k < links_i; ++k) {
      for (std::int32_t l = i == j ? k + 1 : 0; l < links_j; ++l) {
        const LinkPair pair{{i, k}, {j, l}};
        if (!is_active(pair)) continue;
        ++check_.verdict().link_pairs;
        if (near && may_meet(link(pair.first).ball, link(pair.second).ball)) check_free(pair);
        check_clearances(pair);
      }
    }
  }

  // Until when a pair without a contact of its own is claimed to be free.
  [[nodiscard]] double free_until(const LinkPair& pair) const {
    const Contact* first = avatars_[pair.first.avatar].first;
    return options_.contacts_first && first != nullptr ? first->toc[0] : 1.0;
  }

  [[nodiscard]] Real radius(const LinkPair& pair) const {
    return static_cast<Real>(link(pair.first).radius) + static_cast<Real>(link(pair.second).radius);
  }

  // Of the two links, as if they touched when their surfaces are `apart`, metres.
  [[nodiscard]] PairProver prover(const LinkPair& pair, double apart = 0.0) const {
    return {link(pair.first).path, link(pair.second).path, radius(pair) + static_cast<Real>(apart)};
  }
  [[nodiscard]] ShapeProver shape_prover(const LinkPair& pair, double apart = 0.0) const {
    return {*link(pair.first).features, *link(pair.second).features,
            radius(pair) + static_cast<Real>(apart)};
  }

  [[nodiscard]] bool shaped(const LinkPair& pair) const {
    return link(pair.first).shaped || link(pair.second).shaped;
  }

  [[nodiscard]] Subject shape_subject(const LinkPair& pair) const {
    return {subject(pair).who, "a feature of the other link", "the sum of the radii", "a feature"};
  }

  // What is claimed of how far each of the two stays away, also from the other.
  void check_clearances(const LinkPair& pair) {
    for (const Which& one : {pair.first, pair.second}) {
      const double clearance = avatars_[one.avatar].clearance(one.link);
      if (!(clearance > 0.0)) continue;
      if (!may_meet(link(pair.first).ball, link(pair.second).ball, clearance)) continue;
      const std::string& whose = avatars_[one.avatar].link_name(one.link);
      if (shaped(pair)) {
        ShapeProver proof = shape_prover(pair, clearance);
        check_.check_clearance(shape_subject(pair), whose, proof, clearance);
        check_.verdict().near += static_cast<std::uint64_t>(proof.asked());
        continue;
      }
      PairProver proof = prover(pair, clearance);
      ++check_.verdict().near;
      check_.check_clearance(subject(pair), whose, proof, clearance);
    }
  }

  void check_free(const LinkPair& pair) {
    const auto found = by_pair_.find(pair);
    FreeTimes times =
        free_times(found == by_pair_.end() ? nullptr : found->second, free_until(pair));
    extend(times, avatars_[pair.first.avatar].claim->safe_until);
    extend(times, avatars_[pair.second.avatar].claim->safe_until);
    if (shaped(pair)) {
      ShapeProver proof = shape_prover(pair);
      check_.check_free(shape_subject(pair), proof, times);
      check_.verdict().near += static_cast<std::uint64_t>(proof.asked());
      return;
    }
    PairProver proof = prover(pair);
    ++check_.verdict().near;
    check_.check_free(subject(pair), proof, times);
  }

  // Checks a contact's claims besides the free times.
  void check_contact(const LinkPair& pair, const Contact& contact) {
    const Subject about = subject(pair);
    if (!bracket_makes_sense(contact)) {
      check_.refute(impossible_bracket(about, contact));
      return;
    }
    const MovingLink& other = link(pair.second);
    if (const auto fault = fault_of_features(contact, link(pair.first), &other)) {
      check_.refute(fault_sentence(about, contact, *fault));
      return;
    }
    if (shaped(pair)) {
      check_features(pair, contact);
      return;
    }
    PairProver proof = prover(pair);
    check_.check_touch(about, proof, contact);
    if (const auto fault =
            fault_of_geometry(contact, link(pair.first).path, other.path, other.radius)) {
      check_.refute(fault_sentence(about, contact, *fault));
    }
  }

  // The two features that touch.
  void check_features(const LinkPair& pair, const Contact& contact) {
    const Subject about = shape_subject(pair);
    const HullPath one = link(pair.first).features->feature(contact.link_feature.value_or(0));
    const HullPath two = link(pair.second).features->feature(contact.other_feature.value_or(0));
    HullProver proof(one, two, radius(pair));
    check_.check_touch(about, proof, contact);
    if (const auto fault = fault_of_geometry(contact, one, two, link(pair.second).radius)) {
      check_.refute(fault_sentence(about, contact, *fault));
    }
  }

  const std::vector<MovingAvatar>& avatars_;
  const MeetingOptions& options_;
  ClaimCheck& check_;
  std::map<LinkPair, const Contact*> by_pair_;
};

}  // namespace

void check_meetings(const std::vector<MovingAvatar>& avatars, const MeetingOptions& options,
                    ClaimCheck& check) {
  MeetingCheck(avatars, options, check).run();
}

}  // namespace tocsin::oracle
