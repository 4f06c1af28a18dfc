#include "http.h"

#include "libcurl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bump_http_load(void) { bump_curl_load(); }

// Adds a header field, of a name with its colon and a value. Clears is_whole where there is no memory.
static void append(struct curl_slist **headers, const char *name, const char *value, int *is_whole) {
  size_t count = strlen(name) + strlen(value) + 1;
  char *line = malloc(count);
  if (line) snprintf(line, count, "%s%s", name, value);
  struct curl_slist *longer = line ? bump_curl.slist_append(*headers, line) : NULL;
  free(line);
  if (longer)
    *headers = longer;
  else
    *is_whole = 0;
}

// Adds header fields that are each ended by a line feed.
static void append_fields(struct curl_slist **headers, const char *fields, int *is_whole) {
  const char *end;
  for (; (end = strchr(fields, '\n')); fields = end + 1) {
    char *line = strndup(fields, (size_t)(end - fields));
    if (line)
      append(headers, line, "", is_whole);
    else
      *is_whole = 0;
    free(line);
  }
}

// The receiver of a body.
struct taker {
  CURL *easy;
  int (*take)(void *, long, const char *, const char *, size_t);
  void *context;
  int is_stopped;
};

static size_t receive(char *bytes, size_t size, size_t count, void *opaque) {
  struct taker *taker = opaque;
  long status = 0;
  char *type = NULL;
  bump_curl.easy_getinfo(taker->easy, CURLINFO_RESPONSE_CODE, &status);
  bump_curl.easy_getinfo(taker->easy, CURLINFO_CONTENT_TYPE, &type);
  if (taker->take(taker->context, status, type ? type : "", bytes, size * count)) return size * count;
  taker->is_stopped = 1;
  return 0;
}

// Notes that libcurl begins to send the request: the connection stands, behind a proxy and with TLS too.
static int begin(void *opaque, char *remote, char *local, int remote_port, int local_port) {
  (void)remote, (void)local, (void)remote_port, (void)local_port;
  *(int *)opaque = 1;
  return CURL_PREREQFUNC_OK;
}

static enum bump_http_failure failure(CURLcode code) {
  switch (code) {
  case CURLE_PEER_FAILED_VERIFICATION:
    return BUMP_HTTP_UNTRUSTED;
  case CURLE_SSL_CONNECT_ERROR:
    return BUMP_HTTP_NO_TLS;
  case CURLE_GOT_NOTHING:
    return BUMP_HTTP_NOTHING;
  default:
    return BUMP_HTTP_OTHER;
  }
}

// Sets all options of a request. An option that libcurl does not take, such as a trusted certificate or a signature,
// would change what is sent, or who may answer: the first error ends the request before it begins.
static CURLcode set(CURL *easy, const struct bump_http_request *request, struct curl_slist *headers,
                    struct taker *taker, int *has_begun) {
  CURLcode code = CURLE_OK;
#define SET(option, value) \
  if (code == CURLE_OK) code = bump_curl.easy_setopt(easy, CURLOPT_##option, value)
  SET(URL, request->url);
  SET(PROTOCOLS_STR, "http,https");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  // A libcurl from before 7.85.
  if (code == CURLE_UNKNOWN_OPTION)
    code = bump_curl.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#pragma GCC diagnostic pop
  // In place of http_proxy and the like. An empty one is none.
  if (request->is_direct) SET(PROXY, "");
  SET(HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  SET(FOLLOWLOCATION, 0L);
  SET(NOSIGNAL, 1L);
  SET(SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  SET(SSL_VERIFYPEER, 1L);
  SET(SSL_VERIFYHOST, 2L);
  if (request->roots && code == CURLE_OK) code = bump_curl_set_roots(easy, request->roots);
  SET(CONNECTTIMEOUT_MS, request->connect_milliseconds);
  SET(TIMEOUT_MS, request->milliseconds);
  if (request->silence_seconds) {
    SET(LOW_SPEED_LIMIT, 1L);
    SET(LOW_SPEED_TIME, request->silence_seconds);
  }
  if (request->body) {
    SET(POSTFIELDSIZE_LARGE, (curl_off_t)request->body_count);
    SET(POSTFIELDS, request->body);
  }
  if (request->method) SET(CUSTOMREQUEST, request->method);
  if (request->signature) {
    SET(AWS_SIGV4, request->signature);
    SET(USERPWD, request->signer);
  }
  SET(HTTPHEADER, headers);
  SET(WRITEFUNCTION, receive);
  SET(WRITEDATA, taker);
  if (code != CURLE_OK) return code;
  // What libcurl says of a failure does not tell whether a byte has left: an answer that is not HTTP is an unsupported
  // protocol too. A libcurl that cannot say when it begins (before 7.80) has always begun.
  SET(PREREQFUNCTION, begin);
  SET(PREREQDATA, has_begun);
#undef SET
  if (code == CURLE_UNKNOWN_OPTION) {
    *has_begun = 1;
    code = CURLE_OK;
  }
  return code;
}

struct bump_http_answer bump_http_perform(struct bump_call *call, const struct bump_http_request *request,
                                          int (*take)(void *, long, const char *, const char *, size_t),
                                          void *context) {
  struct bump_http_answer answer = {.end = BUMP_HTTP_UNSENT, .retry_after = -1};
  CURL *easy = bump_curl.easy_init();
  if (!easy) return answer;
  struct taker taker = {easy, take, context, 0};
  int has_begun = 0;
  int is_whole = 1;
  struct curl_slist *headers = NULL;
  append(&headers, "Accept: ", request->accept, &is_whole);
  if (request->authorization) append(&headers, "Authorization: ", request->authorization, &is_whole);
  if (request->body) {
    append(&headers, "Content-Type: ", request->body_type, &is_whole);
    // Without it libcurl waits for a second for the server's 100 Continue before a long body. A field without a value is
    // none that libcurl 7.88 can sign, and what is signed here is not that long.
    if (!request->signature) append(&headers, "Expect:", "", &is_whole);
  }
  if (request->fields) append_fields(&headers, request->fields, &is_whole);

  CURLcode code = is_whole ? set(easy, request, headers, &taker, &has_begun) : CURLE_OUT_OF_MEMORY;
  if (code == CURLE_OK && bump_curl.multi_add_handle(call->multi, easy) != CURLM_OK) code = CURLE_FAILED_INIT;
  if (code == CURLE_OK) {
    int running = 1;
    while (running && !atomic_load(&call->is_cancelled)) {
      if (bump_curl.multi_perform(call->multi, &running) != CURLM_OK) break;
      // A wake-up before the call ends it at once.
      if (running && bump_curl.multi_poll(call->multi, NULL, 0, 60000, NULL) != CURLM_OK) break;
    }
    int left;
    CURLMsg *message;
    code = CURLE_ABORTED_BY_CALLBACK;
    while ((message = bump_curl.multi_info_read(call->multi, &left)))
      if (message->msg == CURLMSG_DONE) code = message->data.result;
    bump_curl.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &answer.status);
    char *type = NULL;
    if (bump_curl.easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK && type)
      snprintf(answer.type, sizeof answer.type, "%s", type);
    char *redirect = NULL;
    if (bump_curl.easy_getinfo(easy, CURLINFO_REDIRECT_URL, &redirect) == CURLE_OK && redirect)
      answer.redirect = strdup(redirect);
    curl_off_t seconds = 0;
    if (bump_curl.easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK && seconds > 0)
      answer.retry_after = seconds > 1000000 ? 1000000 : (long)seconds;
    answer.end = code == CURLE_OK   ? BUMP_HTTP_ANSWERED
                 : taker.is_stopped ? BUMP_HTTP_STOPPED
                 : has_begun        ? BUMP_HTTP_LOST
                                    : BUMP_HTTP_UNSENT;
    bump_curl.multi_remove_handle(call->multi, easy);
  }
  if (code != CURLE_OK) {
    answer.failure = failure(code);
    snprintf(answer.reason, sizeof answer.reason, "%s", bump_curl.easy_strerror(code));
  }
  bump_curl.slist_free_all(headers);
  bump_curl.easy_cleanup(easy);
  return answer;
}
