// What an HTTP server answers.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "service/http/request.h"

namespace tocsin::service {

/// An answer without an end, such as server-sent events. The server's thread calls it.
class HttpStream {
 public:
  HttpStream() = default;
  HttpStream(const HttpStream&) = delete;
  HttpStream& operator=(const HttpStream&) = delete;
  virtual ~HttpStream() = default;
  /// Appends what is to be sent now, some 64 KiB at most; called again once that was sent, some 20
  /// times a second. False: the answer is over. Must not wait.
  virtual bool next(std::string& out) = 0;
};

struct HttpAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body = {};
  std::string headers = {};                      ///< further ones, each with its CR LF
  std::unique_ptr<HttpStream> stream = nullptr;  ///< follows the body
};

/// Called by the server's thread, for one request after the other. Must not wait. May throw
/// std::bad_alloc: 503 then.
using HttpHandler = std::function<HttpAnswer(const HttpRequest& request)>;

}  // namespace tocsin::service
