#include "wire/message_cost.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

namespace tocsin::wire {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

/// Bytes. The largest of our messages without its parts (Open) has some 280, most have below 80.
constexpr std::uint64_t kObject = 96;
constexpr std::uint64_t kLargestObject = 320;
/// A string without its bytes, and its place in a list.
constexpr std::uint64_t kText = 48;
/// The same of an unknown field, which may be a string.
constexpr std::uint64_t kUnknown = 80;
constexpr std::uint64_t kNumber = 8;
/// A list may grow to twice what it needs.
constexpr std::uint64_t kGrowth = 2;

class Walk {
 public:
  explicit Walk(CodedInputStream& in) : in_(in) {}

  bool message(const Descriptor& type) {
    cost_.memory += type.field_count() > 8 ? kLargestObject : kObject;
    while (const std::uint32_t tag = in_.ReadTag()) {
      const FieldDescriptor* const field =
          type.FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag));
      if (!take(field, WireFormatLite::GetTagWireType(tag))) return false;
    }
    return in_.ConsumedEntireMessage();
  }
  [[nodiscard]] const MessageCost& cost() const { return cost_; }

 private:
  bool take(const FieldDescriptor* field, WireFormatLite::WireType type) {
    if (field == nullptr) ++cost_.unknown;
    if (type != WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
      cost_.memory += field == nullptr ? kUnknown : kNumber;
    }
    std::uint64_t value = 0;
    std::uint32_t narrow = 0;
    switch (type) {
      case WireFormatLite::WIRETYPE_VARINT:
        return in_.ReadVarint64(&value);
      case WireFormatLite::WIRETYPE_FIXED64:
        return in_.ReadLittleEndian64(&value);
      case WireFormatLite::WIRETYPE_FIXED32:
        return in_.ReadLittleEndian32(&narrow);
      case WireFormatLite::WIRETYPE_LENGTH_DELIMITED:
        return take_bytes(field);
      default:
        return false;
    }
  }

  bool take_bytes(const FieldDescriptor* field) {
    int size = 0;
    if (!in_.ReadVarintSizeAsInt(&size)) return false;
    if (field != nullptr && field->type() == FieldDescriptor::TYPE_MESSAGE) {
      const CodedInputStream::Limit limit = in_.PushLimit(size);
      // The limit is that of the message around it, if that ends before.
      if (in_.BytesUntilLimit() != size || !message(*field->message_type())) return false;
      const bool is_whole = in_.BytesUntilLimit() == 0;
      in_.PopLimit(limit);
      return is_whole;
    }
    const bool is_list = field != nullptr && field->is_packable();
    cost_.memory += is_list
                        ? kGrowth * packed(*field, static_cast<std::uint64_t>(size))
                        : (field == nullptr ? kUnknown : kText) + static_cast<std::uint64_t>(size);
    return in_.Skip(size);
  }

  /// Bytes of a packed list's values: a varint of one byte becomes a number. Those of a fixed size
  /// take in memory what they take in the message.
  static std::uint64_t packed(const FieldDescriptor& field, std::uint64_t size) {
    switch (field.type()) {
      case FieldDescriptor::TYPE_DOUBLE:
      case FieldDescriptor::TYPE_FLOAT:
      case FieldDescriptor::TYPE_FIXED64:
      case FieldDescriptor::TYPE_FIXED32:
      case FieldDescriptor::TYPE_SFIXED64:
      case FieldDescriptor::TYPE_SFIXED32:
        return size;
      default:
        return kNumber * size;
    }
  }

  CodedInputStream& in_;
  MessageCost cost_;
};

}  // namespace

std::optional<MessageCost> message_cost(const Descriptor& type,
                                        google::protobuf::io::ZeroCopyInputStream& bytes) {
  CodedInputStream in(&bytes);
  Walk walk(in);
  if (!walk.message(type)) return std::nullopt;
  return walk.cost();
}

}  // namespace tocsin::wire
