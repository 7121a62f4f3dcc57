#include "shared/machine.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cstdio>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "selftest/measure/processor.h"
#include "shared/files.h"

namespace tocsin::bench {

namespace {

/// Lower case, runs of anything else than letters and digits as one '-'.
std::string slug_of(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

std::string revision() {
  const std::unique_ptr<FILE, int (*)(FILE*)> git(
      popen(("git -C '" + source_folder().string() + "' describe --always --dirty 2>/dev/null")
                .c_str(),
            "r"),
      pclose);
  std::array<char, 128> line{};
  if (!git || std::fgets(line.data(), line.size(), git.get()) == nullptr) return "unknown";
  std::string out = line.data();
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out.empty() ? "unknown" : out;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace

Machine this_machine() {
  Machine m;
  m.cpu = selftest::cpu_model();
  m.threads = std::thread::hardware_concurrency();
  m.slug = slug_of(m.cpu) + "-" + std::to_string(m.threads) + "-threads";
#ifdef __clang__
  m.compiler = "clang " __clang_version__;
#else
  m.compiler = "g++ " __VERSION__;
#endif
  m.flags = TOCSIN_BENCH_FLAGS;
  m.build_type = TOCSIN_BENCH_BUILD_TYPE;
  m.revision = revision();
  m.date = utc_now();
  return m;
}

std::string machine_text(const Machine& m) {
  return fmt::format(
      "processor   {}, {} hardware threads\n"
      "compiler    {}; {}; {}\n"
      "revision    {}, {}\n",
      m.cpu, m.threads, m.compiler, m.build_type, m.flags, m.revision, m.date);
}

nlohmann::ordered_json json_head(std::string_view format, bool quick, const Machine& m) {
  return {{"format", format},
          {"quick", quick},
          {"machine", {{"cpu", m.cpu}, {"hardware_threads", m.threads}}},
          {"build",
           {{"compiler", m.compiler},
            {"type", m.build_type},
            {"flags", m.flags},
            {"revision", m.revision}}},
          {"date", m.date}};
}

}  // namespace tocsin::bench
