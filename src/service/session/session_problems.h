// What a client is told of errors that are the server's own, and what is only logged.
#pragma once

#include <exception>
#include <functional>
#include <string>

#include "service/session/problem.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// Takes a line, for whoever runs the server; thread-safe, must not throw. Null: nobody does.
using Log = std::function<void(const std::string&)>;

/// A recorder's error. What a client can mend (kInput: a model that cannot be recorded) is kInvalid
/// and told in full; all else is kFailed, told without paths (the system's words are kept) and
/// logged.
Problem record_problem(const Error& error, const Log& log);

/// What was not foreseen: kFailed. Its text, which may hold anything, is only logged.
Problem unforeseen_problem(const std::exception& error, const Log& log);

}  // namespace tocsin::service
