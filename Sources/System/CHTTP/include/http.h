#ifndef BUMP_HTTP_H
#define BUMP_HTTP_H

#include "call.h"

#include <stddef.h>

/// Loads libcurl, which the first request does otherwise: it loads some thirty other libraries, which takes longer than
/// everything else that most commands do.
void bump_http_load(void);

/// A request over HTTP/1.1 by libcurl.
struct bump_http_request {
  const char *url;
  /// The method; NULL for GET or, with a body, POST.
  const char *method;
  /// NULL for none.
  const char *body;
  size_t body_count;
  /// The media type of the body.
  const char *body_type;
  /// The media type that is wanted.
  const char *accept;
  /// The header field Authorization; NULL for none.
  const char *authorization;
  /// Further header fields, each ended by a line feed; NULL for none.
  const char *fields;
  /// What signs the request (AWS Signature Version 4): `aws:amz:REGION:SERVICE`, and `KEY:SECRET`; NULL for none.
  const char *signature;
  const char *signer;
  /// A file with trusted certificates in PEM; NULL for those of the system.
  const char *roots;
  /// Whether no proxy is used, whatever the environment names.
  int is_direct;
  /// How long the connection may take, TLS included, and the whole request; 0 for no limit.
  long connect_milliseconds;
  long milliseconds;
  /// After how many seconds of silence the request fails; 0 for no limit.
  long silence_seconds;
};

/// How a request ended.
enum bump_http_end {
  BUMP_HTTP_ANSWERED,
  /// The receiver of the bytes wanted no more.
  BUMP_HTTP_STOPPED,
  /// libcurl never began to send the request, so no byte of it has left.
  BUMP_HTTP_UNSENT,
  /// Something of the request may have left, and no whole answer came.
  BUMP_HTTP_LOST,
  /// libcurl is not installed, or lacks what is needed.
  BUMP_HTTP_NO_LIBRARY,
};

/// Why a request failed.
enum bump_http_failure {
  /// As the reason says.
  BUMP_HTTP_OTHER,
  /// The server's certificate was not accepted.
  BUMP_HTTP_UNTRUSTED,
  /// The server does not answer as TLS does.
  BUMP_HTTP_NO_TLS,
  /// The server closed the connection without an answer.
  BUMP_HTTP_NOTHING,
};

struct bump_http_answer {
  enum bump_http_end end;
  /// Of a request that was not answered.
  enum bump_http_failure failure;
  /// Of HTTP; 0 where there was none.
  long status;
  /// The media type of the answer, cut where it is longer; "" for none.
  char type[128];
  /// Of the header field Retry-After, in seconds; -1 where there is none.
  long retry_after;
  /// Where a redirect leads, an absolute URL; NULL where there is none. The caller frees it.
  char *redirect;
  /// What libcurl says of a failure, in English; "" for none. It has nothing of the request in it.
  char reason[256];
};

/// Carries a request out, and returns once it has ended. Redirects are not followed. A connection may be kept in the call.
///
/// take: is given the body as it comes, on this thread, with the status and the media type, which is "" where there is none;
/// returns 0 for no more.
struct bump_http_answer bump_http_perform(struct bump_call *call, const struct bump_http_request *request,
                                          int (*take)(void *context, long status, const char *type,
                                                      const char *bytes, size_t count),
                                          void *context);

#endif
