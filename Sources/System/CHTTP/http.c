#include "http.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The functions of libcurl that are used, by their own types.
static struct {
  __typeof__(&curl_global_init) global_init;
  __typeof__(&curl_easy_init) easy_init;
  __typeof__(&curl_easy_setopt) easy_setopt;
  __typeof__(&curl_easy_getinfo) easy_getinfo;
  __typeof__(&curl_easy_strerror) easy_strerror;
  __typeof__(&curl_easy_cleanup) easy_cleanup;
  __typeof__(&curl_multi_init) multi_init;
  __typeof__(&curl_multi_add_handle) multi_add_handle;
  __typeof__(&curl_multi_remove_handle) multi_remove_handle;
  __typeof__(&curl_multi_perform) multi_perform;
  __typeof__(&curl_multi_poll) multi_poll;
  __typeof__(&curl_multi_wakeup) multi_wakeup;
  __typeof__(&curl_multi_info_read) multi_info_read;
  __typeof__(&curl_multi_cleanup) multi_cleanup;
  __typeof__(&curl_slist_append) slist_append;
  __typeof__(&curl_slist_free_all) slist_free_all;
  int is_loaded;
} curl;

static void load(void) {
  // RTLD_LOCAL: no symbol of the libraries that it loads takes the place of another here.
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name) \
  if (!(curl.name = (__typeof__(curl.name))dlsym(library, "curl_" #name))) return
  FIND(global_init);
  FIND(easy_init);
  FIND(easy_setopt);
  FIND(easy_getinfo);
  FIND(easy_strerror);
  FIND(easy_cleanup);
  FIND(multi_init);
  FIND(multi_add_handle);
  FIND(multi_remove_handle);
  FIND(multi_perform);
  FIND(multi_poll);
  FIND(multi_wakeup);
  FIND(multi_info_read);
  FIND(multi_cleanup);
  FIND(slist_append);
  FIND(slist_free_all);
#undef FIND
  curl.is_loaded = curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

struct bump_http_call {
  CURLM *multi;
  atomic_int is_cancelled;
};

void bump_http_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
}

struct bump_http_call *bump_http_make(void) {
  bump_http_load();
  if (!curl.is_loaded) return NULL;
  struct bump_http_call *call = calloc(1, sizeof *call);
  if (call && !(call->multi = curl.multi_init())) {
    free(call);
    return NULL;
  }
  return call;
}

void bump_http_cancel(struct bump_http_call *call) {
  atomic_store(&call->is_cancelled, 1);
  curl.multi_wakeup(call->multi);
}

void bump_http_free(struct bump_http_call *call) {
  curl.multi_cleanup(call->multi);
  free(call);
}

// Adds header fields that are each ended by a line feed. Returns NULL where there is no memory.
static struct curl_slist *append_fields(struct curl_slist *headers, const char *fields) {
  const char *end;
  for (; headers && (end = strchr(fields, '\n')); fields = end + 1) {
    char *line = strndup(fields, (size_t)(end - fields));
    struct curl_slist *longer = line ? curl.slist_append(headers, line) : NULL;
    free(line);
    if (!longer) curl.slist_free_all(headers);
    headers = longer;
  }
  return headers;
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
  curl.easy_getinfo(taker->easy, CURLINFO_RESPONSE_CODE, &status);
  curl.easy_getinfo(taker->easy, CURLINFO_CONTENT_TYPE, &type);
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

// The words for a failure. Swift knows the first three, since their remedy is not to wait (HTTPAnswer).
static const char *reason(CURLcode code) {
  switch (code) {
  case CURLE_PEER_FAILED_VERIFICATION:
    return "its certificate is not trusted here, or is another host's";
  case CURLE_SSL_CONNECT_ERROR:
    return "no TLS connection can be made with it";
  case CURLE_GOT_NOTHING:
    return "it closed the connection without an answer";
  default:
    return curl.easy_strerror(code);
  }
}

struct bump_http_answer bump_http_perform(struct bump_http_call *call, const struct bump_http_request *request,
                                          int (*take)(void *, long, const char *, const char *, size_t),
                                          void *context) {
  struct bump_http_answer answer = {.end = BUMP_HTTP_UNSENT, .retry_after = -1};
  CURL *easy = curl.easy_init();
  if (!easy) return answer;
  struct taker taker = {easy, take, context, 0};
  int has_begun = 0;
  struct curl_slist *headers = NULL;
  char line[512];
  snprintf(line, sizeof line, "Accept: %s", request->accept);
  headers = curl.slist_append(headers, line);
  if (request->authorization) {
    snprintf(line, sizeof line, "Authorization: %s", request->authorization);
    headers = curl.slist_append(headers, line);
  }
  curl.easy_setopt(easy, CURLOPT_URL, request->url);
  curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  // In place of http_proxy and the like. An empty one is none.
  if (request->is_direct) curl.easy_setopt(easy, CURLOPT_PROXY, "");
  curl.easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  curl.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl.easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  curl.easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  curl.easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  if (request->roots) curl.easy_setopt(easy, CURLOPT_CAINFO, request->roots);
  curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
  curl.easy_setopt(easy, CURLOPT_TIMEOUT_MS, request->milliseconds);
  if (request->silence_seconds) {
    curl.easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl.easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, request->silence_seconds);
  }
  if (request->body) {
    snprintf(line, sizeof line, "Content-Type: %s", request->body_type);
    headers = curl.slist_append(headers, line);
    // Without it libcurl waits for a second for the server's 100 Continue before a long body. A field without a value is
    // none that libcurl 7.88 can sign, and what is signed here is not that long.
    if (!request->signature) headers = curl.slist_append(headers, "Expect:");
    curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_count);
    curl.easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
  }
  if (request->fields) headers = append_fields(headers, request->fields);
  if (request->method) curl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
  if (request->signature) {
    curl.easy_setopt(easy, CURLOPT_AWS_SIGV4, request->signature);
    curl.easy_setopt(easy, CURLOPT_USERPWD, request->signer);
  }
  curl.easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
  curl.easy_setopt(easy, CURLOPT_WRITEDATA, &taker);
  // What libcurl says of a failure does not tell whether a byte has left: an answer that is not HTTP is an unsupported
  // protocol too. A libcurl that cannot say when it begins (before 7.80) has always begun.
  if (curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, begin) != CURLE_OK ||
      curl.easy_setopt(easy, CURLOPT_PREREQDATA, &has_begun) != CURLE_OK)
    has_begun = 1;

  CURLcode code = CURLE_FAILED_INIT;
  if (headers && curl.multi_add_handle(call->multi, easy) == CURLM_OK) {
    int running = 1;
    while (running && !atomic_load(&call->is_cancelled)) {
      if (curl.multi_perform(call->multi, &running) != CURLM_OK) break;
      // A wake-up before the call ends it at once.
      if (running && curl.multi_poll(call->multi, NULL, 0, 60000, NULL) != CURLM_OK) break;
    }
    int left;
    CURLMsg *message;
    code = CURLE_ABORTED_BY_CALLBACK;
    while ((message = curl.multi_info_read(call->multi, &left)))
      if (message->msg == CURLMSG_DONE) code = message->data.result;
    curl.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &answer.status);
    char *type = NULL;
    if (curl.easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK && type)
      snprintf(answer.type, sizeof answer.type, "%s", type);
    char *redirect = NULL;
    if (curl.easy_getinfo(easy, CURLINFO_REDIRECT_URL, &redirect) == CURLE_OK && redirect)
      answer.redirect = strdup(redirect);
    curl_off_t seconds = 0;
    if (curl.easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK && seconds > 0)
      answer.retry_after = seconds > 1000000 ? 1000000 : (long)seconds;
    answer.end = code == CURLE_OK   ? BUMP_HTTP_ANSWERED
                 : taker.is_stopped ? BUMP_HTTP_STOPPED
                 : has_begun        ? BUMP_HTTP_LOST
                                    : BUMP_HTTP_UNSENT;
    curl.multi_remove_handle(call->multi, easy);
  }
  if (code != CURLE_OK) {
    snprintf(answer.reason, sizeof answer.reason, "%s", reason(code));
  }
  curl.slist_free_all(headers);
  curl.easy_cleanup(easy);
  return answer;
}
