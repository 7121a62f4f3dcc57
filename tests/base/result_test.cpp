// A result: a value or an error, and no way past the error.
#include "tocsin/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tocsin::result_test {
namespace {

/// Can be neither copied nor made without a number.
struct Ticket {
  explicit Ticket(int the_number) : number(std::make_unique<int>(the_number)) {}
  std::unique_ptr<int> number;
};

Result<std::string> word() { return std::string("word"); }
Result<std::string> refusal() { return {ErrorCode::kResource, "the disk is full"}; }

TEST(Result, HoldsItsValue) {
  Result<std::string> result = word();
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(*result, "word");
  EXPECT_EQ(result->size(), 4U);
  result.value() += "s";
  EXPECT_EQ(std::as_const(result).value(), "words");
  EXPECT_TRUE(result.error().message.empty());
}

TEST(Result, ValueOfATemporaryOutlivesIt) {
  const std::string& value = word().value();
  EXPECT_EQ(value, "word");
  std::string letters;
  for (const char letter : *word()) letters += letter;
  EXPECT_EQ(letters, "word");
}

template <class Read>
void expect_throws(const Read& read) {
  try {
    read();
    ADD_FAILURE() << "an error was read as a value";
  } catch (const Exception& exception) {
    EXPECT_EQ(exception.error().code, ErrorCode::kResource);
    EXPECT_STREQ(exception.what(), "the disk is full");
  }
}

TEST(Result, ErrorThrowsWhereAValueIsTaken) {
  Result<std::string> result = refusal();
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(result.error().message, "the disk is full");
  expect_throws([&] { (void)result.value(); });
  expect_throws([&] { (void)*result; });
  expect_throws([&] { (void)result->size(); });
  expect_throws([&] { (void)std::as_const(result).value(); });
  expect_throws([&] { (void)*std::as_const(result); });
  expect_throws([&] { (void)std::as_const(result)->size(); });
  expect_throws([] { (void)refusal().value(); });
  expect_throws([] { (void)*refusal(); });
}

TEST(Result, ExceptionKeepsItsErrorWhenCopied) {
  const Exception copy = Exception(Error{ErrorCode::kUsage, "no"});  // NOLINT
  const std::exception& base = copy;
  EXPECT_STREQ(base.what(), "no");
  EXPECT_EQ(Exception(copy).error().code, ErrorCode::kUsage);
}

TEST(Result, StatusHasNoValue) {
  const Status good = Nothing{};
  EXPECT_TRUE(good.ok());
  const Status bad(ErrorCode::kCancelled, "stopped");
  EXPECT_FALSE(bad.ok());
  EXPECT_THROW((void)bad.value(), Exception);
}

TEST(Result, ValueNeedsNoDefaultAndNoCopy) {
  Result<Ticket> result = Ticket(7);
  EXPECT_EQ(*result->number, 7);
  const Ticket taken = std::move(result).value();
  EXPECT_EQ(*taken.number, 7);
  EXPECT_FALSE(Result<Ticket>(ErrorCode::kInput, "none").ok());
}

TEST(Result, IsNotItsValue) {
  static_assert(!std::is_base_of_v<std::string, Result<std::string>>);
  static_assert(!std::is_convertible_v<Result<std::string>, std::string>);
  static_assert(std::is_nothrow_copy_constructible_v<Exception>);
}

}  // namespace
}  // namespace tocsin::result_test
