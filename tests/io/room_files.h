// Room files that tests write: a folder that goes away, and the bytes of binary formats.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>

#include "support/test_folder.h"

namespace tocsin::test {

using RoomFolder = TestFolder;

/// Little-endian bytes.
inline std::string u16(std::uint32_t value) {
  return {static_cast<char>(value & 0xFFU), static_cast<char>(value >> 8U & 0xFFU)};
}
inline std::string u32(std::uint32_t value) { return u16(value & 0xFFFFU) + u16(value >> 16U); }
inline std::string f32(std::initializer_list<float> values) {
  std::string out;
  for (const float value : values) out += u32(std::bit_cast<std::uint32_t>(value));
  return out;
}

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k <= bytes.size() ? kDigits[group >> (18U - 6U * k) & 63U] : '=';
    }
  }
  return out;
}

/// A binary glTF file.
inline std::string glb(std::string json, std::string binary) {
  while (json.size() % 4 != 0) json += ' ';
  while (binary.size() % 4 != 0) binary += '\0';
  const std::string chunks = u32(static_cast<std::uint32_t>(json.size())) + "JSON" + json +
                             u32(static_cast<std::uint32_t>(binary.size())) +
                             std::string("BIN\0", 4) + binary;
  return "glTF" + u32(2) + u32(static_cast<std::uint32_t>(12 + chunks.size())) + chunks;
}

}  // namespace tocsin::test
