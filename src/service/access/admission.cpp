#include "service/access/admission.h"

#include <chrono>
#include <utility>

namespace tocsin::service {

bool Admission::is_open(const Caller& caller, Turned& why) {
  if (gate_.is_open(caller.key, std::chrono::steady_clock::now())) return true;
  why = {true, "too many failed authentications from your address: wait some seconds"};
  return false;
}

std::shared_ptr<Principal> Admission::admit(const Caller& caller,
                                            std::optional<std::string_view> authorization,
                                            std::string_view certificate, Turned& why) {
  std::shared_ptr<Principal> principal = access_->admit(authorization, certificate);
  if (principal) return principal;
  if (authorization) {
    turn_away(caller, AuthenticationFault::kWrongToken, "the token is not known here", why);
  } else {
    turn_away(caller, AuthenticationFault::kNoToken,
              "a token is needed (authorization: Bearer ...)", why);
  }
  return nullptr;
}

void Admission::turn_away(const Caller& caller, AuthenticationFault fault, std::string cause,
                          Turned& why) {
  metrics_.add_fault(fault);
  gate_.note_failure(caller.key, std::chrono::steady_clock::now());
  if (events_) {
    events_->say({.event = "authentication_failed", .peer = caller.shown, .cause = cause});
  }
  why = {false, std::move(cause)};
}

}  // namespace tocsin::service
