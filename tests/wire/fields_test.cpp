// Numbers and types of the messages' fields never change: programs of the first release still talk
// to this one. fields.txt lists them all.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "support/places.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::test::fields_test {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;

void list(const EnumDescriptor& of, std::string& to) {
  for (int i = 0; i < of.value_count(); ++i) {
    to += of.value(i)->name() + " = " + std::to_string(of.value(i)->number()) + "\n";
  }
}

void list(const Descriptor& of, std::string& to) {
  for (int i = 0; i < of.field_count(); ++i) {
    const FieldDescriptor& field = *of.field(i);
    to += field.full_name() + " = " + std::to_string(field.number()) + " " +
          (field.is_repeated() ? "repeated " : "") + field.type_name();
    if (field.message_type() != nullptr) to += " " + field.message_type()->full_name();
    to += "\n";
  }
  for (int i = 0; i < of.nested_type_count(); ++i) list(*of.nested_type(i), to);
  for (int i = 0; i < of.enum_type_count(); ++i) list(*of.enum_type(i), to);
}

// With TOCSIN_WRITE_FIELDS set, writes the list anew: only for fields that are added.
TEST(Fields, KeepTheirNumbersAndTypes) {
  std::string fields;
  const auto& file = *v1::Frame::descriptor()->file();
  for (int i = 0; i < file.message_type_count(); ++i) list(*file.message_type(i), fields);
  for (int i = 0; i < file.enum_type_count(); ++i) list(*file.enum_type(i), fields);
  const std::string path = source_dir() + "/tests/wire/fields.txt";
  if (std::getenv("TOCSIN_WRITE_FIELDS") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    std::ofstream(path, std::ios::binary) << fields;
  }
  std::ifstream in(path, std::ios::binary);
  EXPECT_EQ(fields, std::string(std::istreambuf_iterator<char>(in), {}));
}

}  // namespace
}  // namespace tocsin::test::fields_test
