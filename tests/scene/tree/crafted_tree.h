// A tree's bytes, with a number of them set to something else and the checksum made right again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "scene/tree/tree_bytes.h"

namespace tocsin::test {

class CraftedTree {
 public:
  explicit CraftedTree(std::string bytes) : bytes_(std::move(bytes)) {}

  [[nodiscard]] scene::TreeHeader header() const {
    scene::TreeHeader out;
    std::memcpy(static_cast<void*>(&out), bytes_.data(), sizeof out);
    return out;
  }
  CraftedTree& set_header(const scene::TreeHeader& header) {
    std::memcpy(bytes_.data(), &header, sizeof header);
    return *this;
  }

  [[nodiscard]] std::uint32_t child(std::size_t node, std::size_t lane) const {
    return number(child_at(node, lane));
  }
  CraftedTree& set_child(std::size_t node, std::size_t lane, std::uint32_t to) {
    return set_number(child_at(node, lane), to);
  }
  [[nodiscard]] std::uint32_t triangle(std::size_t block, std::size_t lane) const {
    return number(triangle_at(block, lane));
  }
  CraftedTree& set_triangle(std::size_t block, std::size_t lane, std::uint32_t to) {
    return set_number(triangle_at(block, lane), to);
  }

  /// The bytes, cut or lengthened to `size` (0: as they are), with the right checksum.
  [[nodiscard]] std::string sealed(std::size_t size = 0) const {
    std::string out = bytes_;
    if (size != 0) out.resize(size, '\0');
    scene::seal_tree_bytes(out);
    return out;
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

 private:
  [[nodiscard]] std::size_t child_at(std::size_t node, std::size_t lane) const {
    return sizeof(scene::TreeHeader) + 4 * (node * header().width + lane);
  }
  [[nodiscard]] std::size_t triangle_at(std::size_t block, std::size_t lane) const {
    return child_at(header().nodes, 0) + 4 * (block * scene::kBlockSize + lane);
  }
  [[nodiscard]] std::uint32_t number(std::size_t at) const {
    std::uint32_t out = 0;
    std::memcpy(&out, bytes_.data() + at, sizeof out);
    return out;
  }
  CraftedTree& set_number(std::size_t at, std::uint32_t to) {
    std::memcpy(bytes_.data() + at, &to, sizeof to);
    return *this;
  }

  std::string bytes_;
};

}  // namespace tocsin::test
