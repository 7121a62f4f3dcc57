// Which of the server's own errors are sent to clients, and which are only logged.
#pragma once

#include <exception>
#include <functional>
#include <string>

#include "service/session/problem.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// Takes a log line for the operator. Thread-safe; must not throw. Null: there is no log.
using Log = std::function<void(const std::string&)>;

/// The problem for an error of a recorder. A client can correct kInput (a model that cannot be
/// recorded): it gets kInvalid with the whole message. Other errors are logged, and it gets kFailed
/// with the system's message, without paths.
Problem record_problem(const Error& error, const Log& log);

/// The problem for an unforeseen exception: kFailed. Its text may contain anything, so it is only
/// logged.
Problem unforeseen_problem(const std::exception& error, const Log& log);

}  // namespace tocsin::service
