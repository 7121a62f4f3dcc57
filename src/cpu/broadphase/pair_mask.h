// Which pairs of bodies are looked at: bodies and pairs are activated and deactivated one by one,
// or all at once. Paper 003, Table 2; paper 000, section 6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpu/broadphase/body_pairs.h"

namespace tocsin::cpu {

/// A pair is active if both bodies are, and if the latest command about the pair activated it. The
/// command may name the pair, all pairs of one of its bodies, or all pairs. Every command costs
/// O(1). Memory is O(bodies + pairs named one by one). At first everything is active.
class PairMask {
 public:
  /// True if this pair of different bodies is looked at.
  [[nodiscard]] bool active(BodyPair pair) const;
  /// True if nothing has been deactivated since everything was active.
  [[nodiscard]] bool all_active() const { return all_active_; }

  /// Bodies (col_activate, col_deactivate): one that is not active is in no active pair. Earlier
  /// commands about its pairs hold again when it is activated.
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

  /// Number `body` stands for a new body from now on: active, and its pairs are as the latest
  /// command about all pairs left them. Earlier commands about the number do not count.
  void renew(BodyId body);

  /// Changes whenever an answer may have.
  [[nodiscard]] std::uint64_t version() const { return latest_; }

 private:
  /// A command: its number, and in the lowest bit whether it activates. So the greatest of several
  /// is the latest.
  using Command = std::uint64_t;
  struct Body {
    Command pairs = 0;
    bool active = true;
  };
  struct PairCommand {
    std::uint64_t pair = kNoPair;
    Command command = 0;
  };
  static constexpr std::uint64_t kNoPair = ~std::uint64_t{0};

  Command command(bool active);
  Body& body(BodyId id);
  /// The latest command about all pairs, and all pairs of the two.
  [[nodiscard]] Command general(std::uint32_t first, std::uint32_t second) const;
  void set_body(BodyId id, bool active);
  void set_pair(BodyId a, BodyId b, bool active);
  void set_pairs_of(BodyId id, bool active);
  void forget_pairs();
  /// The place of a pair in the table, or the free one where it belongs.
  [[nodiscard]] std::size_t place(std::uint64_t pair) const;
  /// Drops commands that later ones overrule, and makes room.
  void make_room();

  Command latest_ = 0;
  Command all_ = 1;
  bool all_active_ = true;
  std::vector<Body> bodies_;
  std::vector<PairCommand> table_;  ///< open addressing; a power of two, or nothing
  std::size_t named_ = 0;           ///< pairs in it
};

}  // namespace tocsin::cpu
