// Open Sound Control 1.0: packets of messages, as bytes.
// https://opensoundcontrol.stanford.edu/spec-1_0.html
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::mocap {

/// An argument of a message that was read.
struct OscValue {
  /// The type tag: 'i', 'f', 's' and the others of OSC 1.0. Brackets of arrays are left out.
  char type = 'N';
  double number = 0.0;    ///< of i, f, d, h, c; 1 for T; else 0
  std::string_view text;  ///< of s and S; bytes of b

  [[nodiscard]] bool is_number() const {
    return type == 'f' || type == 'd' || type == 'i' || type == 'h';
  }
  [[nodiscard]] bool is_text() const { return type == 's' || type == 'S'; }
};

/// Refers to the packet's bytes.
struct OscMessage {
  std::string_view address;  ///< begins with '/'
  std::vector<OscValue> values;
};

/// All messages of a packet, those of bundles in bundles too, in order. Time tags are not looked
/// at. Errors (kInput): what is malformed, and at which byte. Then nothing of the packet may be
/// used.
Result<std::vector<OscMessage>> read_osc(std::string_view packet);

using OscArgument = std::variant<std::int32_t, float, std::string_view>;

/// A message as bytes.
std::string osc_message(std::string_view address, std::span<const OscArgument> values);
/// A bundle of messages, to be handled at once (time tag 1).
std::string osc_bundle(std::span<const std::string> messages);

}  // namespace tocsin::mocap
