#include "base/sha256.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/data.h"
#include "support/test_folder.h"

namespace tocsin::base::sha256_test {
namespace {

// FIPS 180-4's examples, as published by NIST (csrc.nist.gov, "Examples with intermediate values")
// and in its test vectors (SHA256ShortMsg).
TEST(Sha256, NistVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                       "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sha256_hex("\xbd"), "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesDoNotMatter) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += static_cast<char>(i * 7);
  for (const std::size_t piece : {1U, 55U, 56U, 63U, 64U, 65U, 999U}) {
    Sha256 hash;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      hash.update(std::string_view(bytes).substr(at, piece));
    }
    EXPECT_EQ(hash.finish(), sha256_hex(bytes)) << piece;
  }
}

std::string hash_of(Sha256Blocks blocks, std::string_view bytes) {
  Sha256 hash(blocks);
  hash.update(bytes);
  return hash.finish();
}

TEST(Sha256, EveryWayGivesTheSame) {
  EXPECT_EQ(hash_of(sha256_blocks_portable, "abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash_of(sha256_blocks_portable, std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  const Sha256Blocks x86 = sha256_blocks_x86();
  if (x86 == nullptr) GTEST_SKIP() << "this processor has no SHA instructions";
  std::string bytes;
  std::uint32_t state = 1;
  for (int length = 0; length < 1000; ++length) {
    ASSERT_EQ(hash_of(x86, bytes), hash_of(sha256_blocks_portable, bytes)) << length;
    state = state * 1664525U + 1013904223U;
    bytes += static_cast<char>(state >> 24U);
  }
}

TEST(Sha256, OfAFile) {
  const test::TestFolder folder;
  const auto file = folder.path() / "tocsin_sha256.bin";
  std::ofstream(file, std::ios::binary) << std::string(1'000'000, 'a');
  EXPECT_EQ(*sha256_file(file), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  std::filesystem::remove(file);

  const Result<std::string> none = sha256_file(file);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kInput);
  EXPECT_NE(none.error().message.find("tocsin_sha256.bin: cannot be opened"), std::string::npos);
  EXPECT_FALSE(sha256_file(testing::TempDir()).ok());
}

TEST(Sha256, OfTheHouse) {
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  EXPECT_EQ(*sha256_file(test::data_path("environments/small_house.obj")),
            "ff3ef9e40575ddadda26f2ffb76c38b0d96a1ebb5bf0c0bd49fcfbe8b8f68376");
}

}  // namespace
}  // namespace tocsin::base::sha256_test
