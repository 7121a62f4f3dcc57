#include "gpu/cuda/stages/mask_finder.h"

#include <algorithm>
#include <bit>

#include "gpu/cuda/stages/for_each_item.h"

namespace tocsin::cuda {

namespace {

using core::batch::kNone;

constexpr std::size_t kBits = 64;  // of a word

std::uint64_t off(const ActivePairs& active, std::size_t link, std::size_t object) {
  return active.active(static_cast<std::int32_t>(link), static_cast<std::uint32_t>(object)) ? 0 : 1;
}

std::size_t words_of_row(std::size_t objects) { return (objects + kBits - 1) / kBits; }

/// The table's entries, a bit each; every link begins a word. Returns their hash.
std::uint64_t pack(const BatchItem& item, std::size_t objects, std::uint64_t* to) {
  const std::size_t links = item.avatar->links().size();
  std::uint64_t hash = links;
  for (std::size_t link = 0; link < links; ++link) {
    for (std::size_t first = 0; first < objects; first += kBits) {
      const std::size_t count = std::min(objects - first, kBits);
      std::uint64_t word = 0;
      for (std::size_t k = 0; k < count; ++k) word |= off(*item.active, link, first + k) << k;
      hash = mixed(hash, word);
      *to++ = word;
    }
  }
  return hash;
}

}  // namespace

std::span<const std::uint32_t> MaskFinder::find(std::span<const BatchItem> items,
                                                std::size_t objects) {
  find_tables(items);
  if (tables_.size() < 2) return first_;
  pack_all(items, objects);
  by_hash_.reset(tables_.size());
  for (std::uint32_t t = 0; t < tables_.size(); ++t) {
    const std::span<const std::uint64_t> words = words_of(t);
    const std::uint32_t like = by_hash_.find_or_add(tables_[t].hash, t, [&](std::uint32_t other) {
      return tables_[other].hash == tables_[t].hash && std::ranges::equal(words_of(other), words);
    });
    first_[tables_[t].item] = tables_[like].item;
  }
  for (std::uint32_t& first : first_) {
    if (first != kNone) first = first_[first];
  }
  return first_;
}

void MaskFinder::find_tables(std::span<const BatchItem> items) {
  first_.assign(items.size(), kNone);
  tables_.clear();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const ActivePairs* const active = items[i].active;
    if (i > 0 && items[i - 1].active == active) {
      first_[i] = first_[i - 1];
      continue;
    }
    if (active->all()) continue;
    if (tables_.empty()) by_address_.reset(items.size());
    const auto item = static_cast<std::uint32_t>(i);
    first_[i] = by_address_.find_or_add(std::bit_cast<std::uintptr_t>(active), item,
                                        [&](std::size_t j) { return items[j].active == active; });
    if (first_[i] == item) tables_.push_back({item, 0, 0, 0});
  }
}

void MaskFinder::pack_all(std::span<const BatchItem> items, std::size_t objects) {
  std::size_t end = 0;
  for (Table& table : tables_) {
    table.begin = end;
    table.size = items[table.item].avatar->links().size() * words_of_row(objects);
    end += table.size;
  }
  words_.resize(end);
  for_each_item(tables_.size(), [&](std::size_t t) {
    Table& table = tables_[t];
    table.hash = pack(items[table.item], objects, words_.data() + table.begin);
  });
}

void MaskFinder::write(const BatchItem& item, std::size_t objects, std::uint8_t* to) {
  for (std::size_t link = 0; link < item.avatar->links().size(); ++link) {
    for (std::size_t k = 0; k < objects; ++k) {
      *to++ = static_cast<std::uint8_t>(off(*item.active, link, k));
    }
  }
}

}  // namespace tocsin::cuda
