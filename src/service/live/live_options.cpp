#include "service/live/live_options.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <charconv>

#include "base/quoted.h"
#include "mocap/plain.h"
#include "mocap/vmc.h"

namespace tocsin::service {
namespace {

/// In the host's order of bytes; none: it is no IPv4 address.
std::optional<std::uint32_t> ipv4_number(const std::string& text) {
  in_addr address{};
  if (::inet_pton(AF_INET, text.c_str(), &address) != 1) return std::nullopt;
  return ntohl(address.s_addr);
}

}  // namespace

Result<SenderRange> parse_sender(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto address = ipv4_number(std::string(text.substr(0, slash)));
  SenderRange out;
  bool sound = address.has_value();
  if (sound && slash != std::string_view::npos) {
    const std::string_view bits = text.substr(slash + 1);
    const auto read = std::from_chars(bits.data(), bits.data() + bits.size(), out.bits);
    sound = read.ec == std::errc() && read.ptr == bits.data() + bits.size() && out.bits >= 0 &&
            out.bits <= 32;
  }
  if (!sound) {
    return {ErrorCode::kUsage, fmt::format("{} is neither an IPv4 address nor ADDRESS/BITS",
                                           base::in_quotes(std::string(text)))};
  }
  out.address = *address;
  return out;
}

Status check_live(const LiveOptions& options) {
  const auto address = ipv4_number(options.address);
  if (!address) {
    return Error{ErrorCode::kUsage, fmt::format("{} is no IPv4 address to listen on",
                                                base::in_quotes(options.address))};
  }
  if (*address >> 24U != 127 && options.from.empty()) {
    return Error{ErrorCode::kUsage,
                 "other machines reach this address: say who may send, from=ADDRESS"};
  }
  if (options.protocol == LiveProtocol::kPlain && !options.skeleton) {
    return Error{ErrorCode::kUsage, "the frames do not say what the joints are: skeleton=FILE"};
  }
  if (options.protocol == LiveProtocol::kVmc && options.skeleton) {
    if (const auto rest = mocap::offsets_of(*options.skeleton); !rest) return rest.error();
  }
  return Nothing{};
}

std::unique_ptr<mocap::Decoder> make_decoder(const LiveOptions& options) {
  switch (options.protocol) {
    case LiveProtocol::kVmc:
      return std::make_unique<mocap::VmcDecoder>(options.skeleton
                                                     ? mocap::offsets_of(*options.skeleton).value()
                                                     : mocap::standard_offsets());
    case LiveProtocol::kXsens:
      return std::make_unique<mocap::XsensDecoder>(options.units);
    default:
      return std::make_unique<mocap::PlainDecoder>(*options.skeleton);
  }
}

}  // namespace tocsin::service
