// Tokens files for tests.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "support/test_folder.h"

namespace tocsin::service {

using test::TestFolder;

inline constexpr const char* kToken = "a-token-of-studio-a.0123456789";
inline constexpr const char* kOther = "quite/another+token==";
// printf %s 'quite/another+token==' | sha256sum
inline constexpr const char* kOtherHash =
    "d55840902c3a4b467d1871ede0613d27ee20d5b093aa95913591b8497c356660";

inline std::filesystem::path write_tokens(const TestFolder& folder, const std::string& text,
                                          mode_t mode = 0600) {
  const std::filesystem::path file = folder.write("tokens.json", text);
  EXPECT_EQ(::chmod(file.c_str(), mode), 0);
  return file;
}

inline std::string document(const std::string& tokens) {
  return R"({"format":"tocsin.tokens.v1","tokens":[)" + tokens + "]}";
}

inline std::string studio_a(const std::string& more = {}) {
  return std::string(R"({"name":"studio-a","token":")") + kToken + '"' + more + '}';
}

inline std::string studio_b(const std::string& hash = kOtherHash) {
  return R"({"name":"studio-b","sha256":")" + hash + R"("})";
}

}  // namespace tocsin::service
