// Who may do what, and how much of it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::service {

/// What one principal may use at once.
struct Limits {
  std::uint32_t sessions = 1000;
  double frames_per_second = 1e6;        ///< over all its sessions, averaged over a second
  std::uint32_t links = 1024;            ///< of one avatar
  std::uint32_t environments = 16;       ///< loaded by it
  std::uint64_t triangles = 20'000'000;  ///< of one room that it loads
  bool may_load = true;                  ///< LoadEnvironment, and UnloadEnvironment of its own
};

/// Somebody who was let in. Shared by all its sessions; thread-safe.
struct Principal {
  std::string name;  ///< of the token, of the client's certificate, or "anyone"
  Limits limits;
  std::atomic<std::uint32_t> sessions{0};
  mutable std::atomic<std::uint32_t> environments{0};

  /// Takes `count` frames out of the allowance, which fills up with `frames_per_second` and holds
  /// one second's worth (one frame at least); false, and nothing is taken, if there are not so
  /// many.
  bool take_frames(std::uint64_t count, std::chrono::steady_clock::time_point now);

 private:
  std::mutex mutex_;
  double allowance_ = 0.0;
  std::optional<std::chrono::steady_clock::time_point> last_;
};

/// The tokens file: {"format":"tocsin.tokens.v1","tokens":[{"name":"studio-a","token":"..." or
/// "sha256":"...","limits":{...}}, ...]}; the fields of `limits` are those of Limits. Thread-safe.
/// docs/service.md, "Access and TLS".
class Access {
 public:
  /// No tokens: everyone is let in as "anyone" (with a certificate: by its common name), under
  /// `limits` each.
  explicit Access(const Limits& limits);
  /// `limits`: of what a token's own do not name. Only hashes of the tokens are kept. Errors
  /// (kInput): file, line or field, and cause: malformed; a field that is not known; a token that
  /// is shorter than 16 characters or could not be sent; a name or token that comes twice; no
  /// tokens; a regular file that others may read (mode). No message holds a token.
  static Result<std::shared_ptr<Access>> load(const std::filesystem::path& tokens,
                                              const Limits& limits);

  /// `authorization`: that metadata's value ("Bearer TOKEN"), if there is one; `certificate`: the
  /// name of a client certificate that TLS has verified, else empty. With a tokens file a token is
  /// needed, and says who it is, certificate or not. Null: not let in. How long it takes does not
  /// depend on which token is the nearest. The same token (or name) is the same Principal each
  /// time.
  [[nodiscard]] std::shared_ptr<Principal> admit(std::optional<std::string_view> authorization,
                                                 std::string_view certificate);
  [[nodiscard]] bool asks_for_tokens() const { return !tokens_.empty(); }

 private:
  /// A token that lets its principal in.
  struct Token {
    std::string sha256;  ///< of its bytes, 64 lower-case hexadecimal digits
    std::shared_ptr<Principal> principal;
  };

  /// The principal with that name, made if there is none; null if there are too many to keep.
  std::shared_ptr<Principal> named(const std::string& name);

  Limits limits_;
  std::vector<Token> tokens_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Principal>> named_;  ///< without tokens; under mutex_
};

}  // namespace tocsin::service
