#include "service/session/session_problems.h"

#include <new>
#include <string_view>
#include <system_error>

namespace tocsin::service {
namespace {

void write(const Log& log, std::string_view what, std::string_view text) {
  if (!log) return;
  try {
    std::string line(what);
    log(line.append(text));
  } catch (const std::bad_alloc&) {  // nothing to say it with
  }
}

/// True if the system has this text for an error. ("Input/output error" is no path.)
bool is_system_text(std::string_view text) {
  constexpr int kLastError = 133;  // Linux has no higher one
  for (int error = 1; error <= kLastError; ++error) {
    if (std::generic_category().message(error) == text) return true;
  }
  return false;
}

/// The end of "cannot write FILE: CAUSE"; empty if there is none, or it could hold a path.
std::string_view cause_in(std::string_view message) {
  constexpr std::string_view kBefore = ": ";
  const std::size_t at = message.rfind(kBefore);
  if (at == std::string_view::npos) return {};
  const std::string_view cause = message.substr(at);
  const bool may_be_path = cause.find('/') != std::string_view::npos;
  return may_be_path && !is_system_text(cause.substr(kBefore.size())) ? std::string_view() : cause;
}

}  // namespace

Problem record_problem(const Error& error, const Log& log) {
  if (error.code == ErrorCode::kInput) return {Refusal::kInvalid, "the record: " + error.message};
  write(log, "a session's record: ", error.message);
  Problem out{Refusal::kFailed, "the record cannot be written"};
  out.message += cause_in(error.message);
  return out;
}

Problem unforeseen_problem(const std::exception& error, const Log& log) {
  write(log, "a session: ", error.what());
  return {Refusal::kFailed, "an error inside of the server"};
}

}  // namespace tocsin::service
