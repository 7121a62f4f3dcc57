// The head of an HTTP/1.1 request (RFC 9110, RFC 9112), read strictly.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tocsin::service {

/// Bytes of a head, with the empty line at its end. A browser sends some 1,000. Larger: each
/// connection may hold more.
inline constexpr std::size_t kMostHead = 8192;
/// Header fields of a request. A browser sends some 20.
inline constexpr std::size_t kMostHeaders = 64;

/// A GET or a POST, without a body.
struct HttpRequest {
  bool posts = false;
  std::string peer;  ///< the client's address, "192.0.2.7"; empty: a socket file. Not of the head
  std::string path;  ///< "/metrics"; what follows a '?' is ignored
  std::string host;  ///< empty: none was sent (HTTP/1.0)
  std::optional<std::string> authorization;
};

/// What a head is, or why it is none.
struct HttpHead {
  /// 0: it is not complete yet. 200: `request` is set. Else the status that refuses it: 400, 405,
  /// 431, 505.
  int status = 0;
  std::string cause;  ///< of a refusal; nothing of the request is in it
  HttpRequest request;
};

/// Reads what has come so far. Everything on which two readers of a request may disagree is
/// refused: a body of any kind (Content-Length, Transfer-Encoding), lines that do not end with CR
/// LF, folded lines, blanks before a colon, fields that come twice (Host, Authorization), control
/// characters, a target that is no path. `posts`: POST is allowed beside GET.
HttpHead parse_head(std::string_view bytes, bool posts = false);

/// A status and its reason: "404 Not Found".
std::string status_text(int status);

}  // namespace tocsin::service
