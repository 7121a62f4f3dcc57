// What a message will take in memory, known before it is parsed.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/zero_copy_stream.h>

#include <cstdint>
#include <optional>

namespace tocsin::wire {

struct MessageCost {
  std::uint64_t memory = 0;   ///< bytes of the parsed message; at least what protobuf takes
  std::uint64_t unknown = 0;  ///< fields that this version does not know
};

/// Reads a serialized message without making anything. protobuf's objects can take sixty times
/// their bytes: an unknown field, an empty name or an empty joint has two bytes. None: the bytes
/// are no message, or have a group, which proto3 does not.
std::optional<MessageCost> message_cost(const google::protobuf::Descriptor& type,
                                        google::protobuf::io::ZeroCopyInputStream& bytes);

}  // namespace tocsin::wire
