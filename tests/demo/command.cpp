#include "demo/command.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace tocsin::test {

CommandOutput run_command(const std::string& line) {
  CommandOutput result;
  std::FILE* const pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> block{};
  std::size_t count = 0;
  while ((count = std::fread(block.data(), 1, block.size(), pipe)) > 0) {
    result.out.append(block.data(), count);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  return result;
}

bool have_python() { return run_command("python3 --version 2>/dev/null").status == 0; }

std::string file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.is_open()) << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace tocsin::test
