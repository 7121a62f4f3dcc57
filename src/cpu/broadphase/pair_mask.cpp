#include "cpu/broadphase/pair_mask.h"

#include <algorithm>
#include <bit>

namespace tocsin::cpu {
namespace {

constexpr std::uint64_t number_of(std::uint32_t first, std::uint32_t second) {
  return static_cast<std::uint64_t>(first) << 32U | second;
}

struct Numbers {
  std::uint32_t first;
  std::uint32_t second;
};
constexpr Numbers in_order(BodyId a, BodyId b) {
  return {static_cast<std::uint32_t>(a < b ? a : b), static_cast<std::uint32_t>(a < b ? b : a)};
}

/// The golden ratio's multiples are spread evenly, whatever the pattern of the pairs.
constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;

/// Slots of the first table. It is doubled when half of its slots are in use.
constexpr std::size_t kFirstSlots = 16;

}  // namespace

PairMask::Command PairMask::command(bool active) {
  latest_ += 2;
  if (!active) all_active_ = false;
  return latest_ | static_cast<Command>(active);
}

PairMask::Body& PairMask::body(BodyId id) {
  const auto i = static_cast<std::size_t>(id);
  if (i >= bodies_.size()) bodies_.resize(i + 1);
  return bodies_[i];
}

PairMask::Command PairMask::general(std::uint32_t first, std::uint32_t second) const {
  Command latest = all_;
  if (first < bodies_.size()) latest = std::max(latest, bodies_[first].pairs);
  if (second < bodies_.size()) latest = std::max(latest, bodies_[second].pairs);
  return latest;
}

bool PairMask::active(BodyPair pair) const {
  if (all_active_) return true;
  const auto [first, second] = in_order(pair.first, pair.second);
  if (first < bodies_.size() && !bodies_[first].active) return false;
  if (second < bodies_.size() && !bodies_[second].active) return false;
  Command latest = general(first, second);
  if (named_ > 0) latest = std::max(latest, table_[place(number_of(first, second))].command);
  return (latest & 1U) != 0;
}

void PairMask::activate_all() {
  all_ = command(true);
  for (Body& b : bodies_) b.active = true;
  forget_pairs();
  all_active_ = true;
}

void PairMask::deactivate_all() {
  all_ = command(false);
  forget_pairs();
}

void PairMask::renew(BodyId id) { body(id) = {command((all_ & 1U) != 0), true}; }

void PairMask::set_body(BodyId id, bool active) {
  command(active);
  body(id).active = active;
}

void PairMask::set_pairs_of(BodyId id, bool active) { body(id).pairs = command(active); }

void PairMask::set_pair(BodyId a, BodyId b, bool active) {
  if (2 * (named_ + 1) > table_.size()) make_room();
  const auto [first, second] = in_order(a, b);
  PairCommand& slot = table_[place(number_of(first, second))];
  if (slot.pair == kNoPair) ++named_;
  slot = {number_of(first, second), command(active)};
}

void PairMask::forget_pairs() {
  table_.clear();
  named_ = 0;
}

std::size_t PairMask::place(std::uint64_t pair) const {
  const int bits = std::countr_zero(table_.size());
  std::size_t at = static_cast<std::size_t>(pair * kGolden >> (64 - bits));
  while (table_[at].pair != pair && table_[at].pair != kNoPair) at = (at + 1) % table_.size();
  return at;
}

void PairMask::make_room() {
  const auto overruled = [&](const PairCommand& p) {
    return p.command <
           general(static_cast<std::uint32_t>(p.pair >> 32U), static_cast<std::uint32_t>(p.pair));
  };
  std::vector<PairCommand> old;
  for (const PairCommand& p : table_) {
    if (p.pair != kNoPair && !overruled(p)) old.push_back(p);
  }
  // A quarter full at most: so many words can follow before this is needed again.
  table_.assign(std::max(kFirstSlots, std::bit_ceil(4 * old.size())), {});
  for (const PairCommand& p : old) table_[place(p.pair)] = p;
  named_ = old.size();
}

}  // namespace tocsin::cpu
