// Which pairs of one avatar's own links are checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/result.h"

namespace tocsin {

/// Pairs of links of one avatar (`tocsin check --self`), activated and deactivated one by one
/// (paper 003, Table 2). By default there is no pair: an avatar is not checked against itself.
class LinkPairs {
 public:
  LinkPairs() = default;

  /// Every pair of two different links but neighbours, which always touch: links on one joint;
  /// links whose joints are parent and child in the tree of joints that have links; links whose
  /// segments have an end in common in the rest pose.
  static LinkPairs of(const Avatar& avatar);
  /// The same without the pairs that match a pattern `LINK:LINK`, two shell globs, either way
  /// round; the first ':' separates them. Errors (kUsage): a pattern without ':'.
  static Result<LinkPairs> ignoring(const Avatar& avatar, std::span<const std::string> patterns);

  /// i, j: indices of links in any order. No pair for i = j.
  [[nodiscard]] bool active(std::int32_t i, std::int32_t j) const {
    return links_ != 0 &&
           on_[static_cast<std::size_t>(i) * links_ + static_cast<std::size_t>(j)] != 0;
  }
  /// True if no pair is active.
  [[nodiscard]] bool none() const { return pairs_ == 0; }
  /// How many pairs are active.
  [[nodiscard]] std::size_t size() const { return pairs_; }
  /// True if these are pairs of so many links, or none.
  [[nodiscard]] bool fits(std::size_t links) const { return links_ == 0 || links == links_; }
  /// How many pairs of two different links each pattern matches, in the order given; those that
  /// were off already count too. 0 hints at a typing error.
  [[nodiscard]] std::span<const std::uint64_t> matches() const { return matches_; }

 private:
  std::size_t links_ = 0;
  std::size_t pairs_ = 0;
  std::vector<std::uint8_t> on_;  ///< links_ x links_, symmetric
  std::vector<std::uint64_t> matches_;
};

}  // namespace tocsin
