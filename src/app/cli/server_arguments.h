// Which server a command speaks to, and what it shows there: options of all commands that are
// clients.
#pragma once

#include <string>

#include "app/cli/parse_parts.h"
#include "tocsin/client.h"

namespace tocsin::app {

class ServerArguments {
 public:
  static constexpr const char* kGroup = "The server";

  /// --to, which is required.
  void add_target(CLI::App& a) {
    add_text(a, "--to", connection_.target, "HOST:PORT",
             "Where the server listens; also unix:/path", kGroup)
        ->required();
  }
  /// --from, which is required, or not.
  void add_source(CLI::App& a, bool required = true) {
    add_text(a, "--from", connection_.target, "HOST:PORT",
             "Where the server listens; also unix:/path", kGroup)
        ->required(required);
  }
  /// --token-file and --tls...; refuse_empty() is the command's.
  void add_credentials(CLI::App& a) {
    add_text(a, "--token-file", token_file_, "FILE",
             "The token in the file's first line; without TLS it is sent to this machine only",
             kGroup);
    a.add_flag("--tls", connection_.tls,
               "Use TLS; the system's roots must know the server's certificate (no TLS)")
        ->group(kGroup);
    add_text(a, "--tls-ca", ca_, "FILE",
             "Use TLS; this authority signed the server's certificate (PEM)", kGroup);
    add_text(a, "--tls-cert", certificate_, "FILE", "Use TLS; the client's own certificate (PEM)",
             kGroup);
    add_text(a, "--tls-key", key_, "FILE", "Its key (PEM)", kGroup);
  }

  /// Without the token.
  [[nodiscard]] ConnectionOptions connection() const {
    ConnectionOptions out = connection_;
    out.ca = ca_;
    out.certificate = certificate_;
    out.key = key_;
    return out;
  }
  [[nodiscard]] const std::string& token_file() const { return token_file_; }

 private:
  ConnectionOptions connection_;
  std::string ca_;
  std::string certificate_;
  std::string key_;
  std::string token_file_;
};

}  // namespace tocsin::app
