// Which pairs of bodies are looked at: bodies and pairs are activated and deactivated one by one,
// or all at once. Paper 003, Table 2; paper 000, section 6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpu/broadphase/body_pairs.h"

namespace tocsin::cpu {

/// A pair is active if both bodies are, and if the latest word about the pair was to activate it: a
/// word about that pair, about all pairs of one of the two, or about all pairs. Every word costs
/// O(1); memory is O(bodies + pairs spoken of one by one). At first everything is active.
class PairMask {
 public:
  /// True if this pair of different bodies is looked at.
  [[nodiscard]] bool active(BodyPair pair) const;
  /// True if nothing has been deactivated since everything was active.
  [[nodiscard]] bool all_active() const { return all_active_; }

  /// Bodies (col_activate, col_deactivate): one that is not active is in no active pair. What was
  /// said about its pairs holds again when it is activated.
  void activate(BodyId body) { set_body(body, true); }
  void deactivate(BodyId body) { set_body(body, false); }

  /// One pair (col_activate_pair, col_deactivate_pair), either way round.
  void activate_pair(BodyId a, BodyId b) { set_pair(a, b, true); }
  void deactivate_pair(BodyId a, BodyId b) { set_pair(a, b, false); }

  /// All pairs of one body that there are, or can be with bodies already numbered.
  void activate_pairs_of(BodyId body) { set_pairs_of(body, true); }
  void deactivate_pairs_of(BodyId body) { set_pairs_of(body, false); }

  /// Everything, bodies included.
  void activate_all();
  /// All pairs; bodies stay as they are, so that pairs can be activated one by one.
  void deactivate_all();

  /// Number `body` stands for a new body from now on: active, and its pairs are as the latest word
  /// about all pairs said. Nothing that was said about the number before counts.
  void renew(BodyId body);

  /// Changes whenever an answer may have.
  [[nodiscard]] std::uint64_t version() const { return word_; }

 private:
  /// A word: when it was said, and in the lowest bit what: so the greatest of several is the
  /// latest.
  using Word = std::uint64_t;
  struct Body {
    Word pairs = 0;
    bool active = true;
  };
  struct PairWord {
    std::uint64_t pair = kNoPair;
    Word word = 0;
  };
  static constexpr std::uint64_t kNoPair = ~std::uint64_t{0};

  Word say(bool active);
  Body& body(BodyId id);
  /// The latest word about all pairs, and all pairs of the two.
  [[nodiscard]] Word general(std::uint32_t first, std::uint32_t second) const;
  void set_body(BodyId id, bool active);
  void set_pair(BodyId a, BodyId b, bool active);
  void set_pairs_of(BodyId id, bool active);
  void forget_pairs();
  /// The place of a pair in the table, or the free one where it belongs.
  [[nodiscard]] std::size_t place(std::uint64_t pair) const;
  /// Drops words that later ones overrule, and makes room.
  void make_room();

  Word word_ = 0;
  Word all_ = 1;
  bool all_active_ = true;
  std::vector<Body> bodies_;
  std::vector<PairWord> table_;  ///< open addressing; a power of two, or nothing
  std::size_t spoken_of_ = 0;    ///< pairs in it
};

}  // namespace tocsin::cpu
