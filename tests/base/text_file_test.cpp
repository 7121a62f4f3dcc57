#include "base/text_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/test_folder.h"

namespace tocsin::base::text_file_test {
namespace {

class TextFile : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(file_, std::ios::binary) << text_; }
  void TearDown() override { std::filesystem::remove(file_); }

  const test::TestFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "text";
  const std::string text_ = std::string("line\r\n\0more", 11);
};

void expect_refused(const Result<std::string>& read, const std::string& phrase) {
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kInput);
  EXPECT_NE(read.error().message.find(phrase), std::string::npos) << read.error().message;
}

TEST_F(TextFile, IsReadByteForByte) {
  const Result<std::string> read = read_file(file_);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value(), text_);
  EXPECT_EQ(read_file(file_, text_.size()).value(), text_);
}

TEST_F(TextFile, MayBeEmpty) {
  std::ofstream(file_, std::ios::trunc).close();
  const Result<std::string> read = read_file(file_);
  EXPECT_TRUE(read.ok());
  EXPECT_TRUE(read->empty());
}

TEST_F(TextFile, MayBeLongerThanAChunk) {
  const std::string text(300'000, 'x');
  std::ofstream(file_, std::ios::binary) << text;
  EXPECT_EQ(read_file(file_).value(), text);
}

TEST_F(TextFile, TooLargeIsRefused) {
  expect_refused(read_file(file_, text_.size() - 1), "is larger than 10 bytes");
}

TEST(TextFileErrors, NameTheFileAndTheCause) {
  expect_refused(read_file("/nowhere/take.bvh"),
                 "/nowhere/take.bvh: cannot be opened: No such file");
  expect_refused(read_file(testing::TempDir()), "is a directory");
  // A device has no size; it ends only at the limit.
  if (std::filesystem::exists("/dev/zero")) {
    expect_refused(read_file("/dev/zero", 100'000), "/dev/zero: is a device, not a file");
  }
}

}  // namespace
}  // namespace tocsin::base::text_file_test
