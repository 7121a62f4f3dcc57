// Which items of a batch have the same table of inactive pairs. docs/cuda.md, "What a batch is".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/large_array.h"
#include "gpu/cuda/stages/batch_item.h"
#include "gpu/cuda/stages/index_table.h"

namespace tocsin::cuda {

/// Tables are compared by what they say, not by where they lie: everyone in a crowd has a copy of
/// one's own. Memory is used again from batch to batch.
class MaskFinder {
 public:
  /// Per item the first whose table is the same; kNone: all of its pairs are active. In parallel
  /// where that pays. Valid until the next call.
  std::span<const std::uint32_t> find(std::span<const BatchItem> items, std::size_t objects);

  /// The item's table: per link and object 1 if the pair is off. Any thread.
  static void write(const BatchItem& item, std::size_t objects, std::uint8_t* to);

 private:
  /// A table that lies somewhere else than those of all items before.
  struct Table {
    std::uint32_t item = 0;
    std::uint64_t hash = 0;
    std::size_t begin = 0;  ///< into words_
    std::size_t size = 0;
  };
  void find_tables(std::span<const BatchItem> items);
  /// Packs tables, an entry a bit: every one is read once, and what is compared is small.
  void pack_all(std::span<const BatchItem> items, std::size_t objects);
  [[nodiscard]] std::span<const std::uint64_t> words_of(std::size_t table) const {
    return std::span(words_).subspan(tables_[table].begin, tables_[table].size);
  }

  std::vector<std::uint32_t> first_;  ///< per item
  std::vector<Table> tables_;
  base::LargeArray<std::uint64_t> words_;  ///< of one table after the other
  IndexTable by_address_;
  IndexTable by_hash_;
};

}  // namespace tocsin::cuda
