#include "mocap/osc.h"

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <optional>
#include <utility>

#include "mocap/bytes.h"

namespace tocsin::mocap {
namespace {

constexpr std::string_view kBundle("#bundle\0", 8);
constexpr std::size_t kBundleHead = 16;  // the word and a time tag
/// Bundles in bundles. Senders use one. Larger: a datagram of 64 KiB nests 3,000 deep.
constexpr int kMostNested = 8;

Error bad_osc(std::size_t at, std::string_view what) {
  return {ErrorCode::kInput, fmt::format("OSC, byte {}: {}", at, what)};
}

constexpr std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

/// Reads one element of a packet: `end` is where it ends.
class OscReader {
 public:
  OscReader(std::string_view packet, std::vector<OscMessage>& out) : packet_(packet), out_(out) {}

  Status read(std::size_t at, std::size_t end, int depth) {
    if ((end - at) % 4 != 0) return bad_osc(at, "the size is no multiple of 4");
    if (end - at < 4) return bad_osc(at, "there is neither a message nor a bundle");
    if (packet_.substr(at, end - at).starts_with(kBundle)) return read_bundle(at, end, depth);
    return read_message(at, end);
  }

 private:
  Status read_bundle(std::size_t at, std::size_t end, int depth) {
    if (depth >= kMostNested) return bad_osc(at, "bundles are nested too deep");
    if (end - at < kBundleHead) return bad_osc(at, "the bundle has no time tag");
    at += kBundleHead;
    while (at < end) {
      const std::size_t size = load_big<4>(packet_, at);  // 4 bytes are left: sizes are multiples
      at += 4;
      if (size > end - at) return bad_osc(at - 4, "the element is longer than its bundle");
      if (auto read_it = read(at, at + size, depth + 1); !read_it) return read_it;
      at += size;
    }
    return Nothing{};
  }

  /// A string with its zeros; `at` moves behind them.
  std::optional<std::string_view> text(std::size_t& at, std::size_t end) const {
    const std::size_t zero = packet_.substr(0, end).find('\0', at);
    if (zero == std::string_view::npos) return std::nullopt;
    const std::string_view out = packet_.substr(at, zero - at);
    at += padded(out.size() + 1);
    if (at > end) return std::nullopt;
    for (std::size_t i = zero; i < at; ++i) {
      if (packet_[i] != '\0') return std::nullopt;
    }
    return out;
  }

  Status read_message(std::size_t at, std::size_t end) {
    const std::size_t start = at;
    const auto address = text(at, end);
    if (!address || !address->starts_with('/')) return bad_osc(start, "expected an address");
    OscMessage message{*address, {}};
    if (at < end) {
      const std::size_t tags_at = at;
      const auto tags = text(at, end);
      if (!tags || !tags->starts_with(',')) return bad_osc(tags_at, "expected type tags");
      for (const char tag : tags->substr(1)) {
        if (tag == '[' || tag == ']') continue;
        OscValue value;
        if (!read_value(tag, at, end, value)) {
          return bad_osc(at, "an argument is cut off, or of an unknown type");
        }
        message.values.push_back(value);
      }
    }
    if (at != end) return bad_osc(at, "there are more bytes than arguments");
    out_.push_back(std::move(message));
    return Nothing{};
  }

  bool read_value(char tag, std::size_t& at, std::size_t end, OscValue& out) const {
    out.type = tag;
    switch (tag) {
      case 'T':
        out.number = 1.0;
        return true;
      case 'F':
      case 'N':
      case 'I':
        return true;
      case 's':
      case 'S': {
        const auto read_text = text(at, end);
        out.text = read_text.value_or(std::string_view());
        return read_text.has_value();
      }
      case 'b':
        return read_blob(at, end, out);
      default:
        return read_number(tag, at, end, out);
    }
  }

  bool read_blob(std::size_t& at, std::size_t end, OscValue& out) const {
    if (end - at < 4) return false;
    const std::size_t size = load_big<4>(packet_, at);
    if (size > end - at - 4 || padded(size) > end - at - 4) return false;
    out.text = packet_.substr(at + 4, size);
    at += 4 + padded(size);
    return true;
  }

  bool read_number(char tag, std::size_t& at, std::size_t end, OscValue& out) const {
    const bool wide = tag == 'd' || tag == 'h' || tag == 't';
    const bool narrow = tag == 'i' || tag == 'f' || tag == 'c' || tag == 'r' || tag == 'm';
    const std::size_t size = wide ? 8 : 4;
    if ((!wide && !narrow) || end - at < size) return false;
    if (wide) {
      const std::uint64_t bits = load_big<8>(packet_, at);
      if (tag == 'd') out.number = std::bit_cast<double>(bits);
      if (tag == 'h') out.number = static_cast<double>(static_cast<std::int64_t>(bits));
    } else {
      const auto bits = static_cast<std::uint32_t>(load_big<4>(packet_, at));
      if (tag == 'f') out.number = static_cast<double>(std::bit_cast<float>(bits));
      if (tag == 'i' || tag == 'c') out.number = static_cast<std::int32_t>(bits);
    }
    at += size;
    return true;
  }

  const std::string_view packet_;
  std::vector<OscMessage>& out_;
};

void append_text(std::string& out, std::string_view text) {
  out += text;
  out.append(padded(text.size() + 1) - text.size(), '\0');
}

}  // namespace

Result<std::vector<OscMessage>> read_osc(std::string_view packet) {
  std::vector<OscMessage> out;
  if (auto all = OscReader(packet, out).read(0, packet.size(), 0); !all) return all.error();
  return out;
}

std::string osc_message(std::string_view address, std::span<const OscArgument> values) {
  std::string out;
  append_text(out, address);
  std::string tags(",");
  for (const OscArgument& value : values) tags += "ifs"[value.index()];
  append_text(out, tags);
  for (const OscArgument& value : values) {
    if (const auto* const whole = std::get_if<std::int32_t>(&value)) {
      append_big<4>(out, static_cast<std::uint32_t>(*whole));
    } else if (const auto* const number = std::get_if<float>(&value)) {
      append_big_float(out, *number);
    } else {
      append_text(out, std::get<std::string_view>(value));
    }
  }
  return out;
}

std::string osc_bundle(std::span<const std::string> messages) {
  std::string out(kBundle);
  append_big<8>(out, 1);
  for (const std::string& message : messages) {
    append_big<4>(out, message.size());
    out += message;
  }
  return out;
}

}  // namespace tocsin::mocap
