#include "smtp.h"

#include "libcurl.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

// The message on its way.
struct source {
  const char *bytes;
  size_t count;
  size_t sent;
  int has_begun;
};

// The time in which all has to end.
struct limit {
  struct bump_call *call;
  long long end;
  long long farewell;
  int is_cancelled;
};

// The milliseconds of a clock that is never set.
static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

// The milliseconds that are left. A cancelled message has those of its farewell at the most.
static long long left(struct limit *limit) {
  if (!limit->is_cancelled && atomic_load(&limit->call->is_cancelled)) {
    limit->is_cancelled = 1;
    long long end = now() + limit->farewell;
    if (end < limit->end) limit->end = end;
  }
  long long left = limit->end - now();
  return left > 0 ? left : 0;
}

// libcurl asks at least once a second, also where it waits in itself: for the answer to a message, and for that to QUIT,
// for which it would otherwise wait for two minutes.
static int is_over(void *opaque, curl_off_t down_all, curl_off_t down, curl_off_t up_all, curl_off_t up) {
  (void)down_all, (void)down, (void)up_all, (void)up;
  return left(opaque) == 0;
}

static size_t give(char *buffer, size_t size, size_t count, void *opaque) {
  struct source *source = opaque;
  size_t left = source->count - source->sent;
  size_t room = size * count;
  if (room > left) room = left;
  memcpy(buffer, source->bytes + source->sent, room);
  source->sent += room;
  source->has_begun = 1;
  return room;
}

// The server has no answer of its own: nothing of what it says is kept.
static size_t drop(char *bytes, size_t size, size_t count, void *opaque) {
  (void)bytes, (void)opaque;
  return size * count;
}

// Sets all options. One that libcurl does not take, such as STARTTLS or a trusted certificate, would change who may read
// the message: the first error ends it before it begins.
static CURLcode set(CURL *easy, const struct bump_smtp_message *message, struct curl_slist *recipients,
                    struct source *source, struct limit *limit) {
  CURLcode code = CURLE_OK;
#define SET(option, value) \
  if (code == CURLE_OK) code = bump_curl.easy_setopt(easy, CURLOPT_##option, value)
  SET(URL, message->url);
  SET(PROTOCOLS_STR, "smtp,smtps");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  // A libcurl from before 7.85.
  if (code == CURLE_UNKNOWN_OPTION)
    code = bump_curl.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_SMTP | CURLPROTO_SMTPS));
#pragma GCC diagnostic pop
  // The environment's proxies are for HTTP.
  SET(PROXY, "");
  SET(NOSIGNAL, 1L);
  SET(USE_SSL, (long)(message->starts_tls ? CURLUSESSL_ALL : CURLUSESSL_NONE));
  SET(SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  SET(SSL_VERIFYPEER, 1L);
  SET(SSL_VERIFYHOST, 2L);
  if (message->roots && code == CURLE_OK) code = bump_curl_set_roots(easy, message->roots);
  SET(CONNECTTIMEOUT_MS, message->connect_milliseconds);
  SET(TIMEOUT_MS, message->milliseconds);
  SET(NOPROGRESS, 0L);
  SET(XFERINFOFUNCTION, is_over);
  SET(XFERINFODATA, limit);
  // The connection ends with the message, within its time.
  SET(FORBID_REUSE, 1L);
  if (message->user) {
    SET(USERNAME, message->user);
    SET(PASSWORD, message->password);
  }
  SET(MAIL_FROM, message->sender);
  SET(MAIL_RCPT, recipients);
  SET(UPLOAD, 1L);
  SET(INFILESIZE_LARGE, (curl_off_t)message->count);
  SET(READFUNCTION, give);
  SET(READDATA, source);
  SET(WRITEFUNCTION, drop);
#undef SET
  return code;
}

static enum bump_smtp_end end_of(CURLcode code, long status, const struct source *source) {
  switch (code) {
  case CURLE_OK:
    return BUMP_SMTP_ACCEPTED;
  case CURLE_LOGIN_DENIED:
    return BUMP_SMTP_DENIED;
  case CURLE_USE_SSL_FAILED:
  case CURLE_SSL_CONNECT_ERROR:
    return BUMP_SMTP_NO_TLS;
  case CURLE_PEER_FAILED_VERIFICATION:
    return BUMP_SMTP_UNTRUSTED;
  // What the server answers to a command, or to the message.
  case CURLE_SEND_ERROR:
  case CURLE_WEIRD_SERVER_REPLY:
  case CURLE_REMOTE_ACCESS_DENIED:
    if (status >= 400 && status < 600) return BUMP_SMTP_REFUSED;
  // Fallthrough.
  default:
    return source->has_begun ? BUMP_SMTP_LOST : BUMP_SMTP_UNSENT;
  }
}

struct bump_smtp_answer bump_smtp_send(struct bump_call *call, const struct bump_smtp_message *message) {
  struct bump_smtp_answer answer = {.end = BUMP_SMTP_UNSENT};
  struct source source = {message->bytes, message->count, 0, 0};
  struct limit limit = {call, now() + message->milliseconds, message->farewell_milliseconds, 0};
  struct curl_slist *recipients = bump_curl.slist_append(NULL, message->recipient);
  CURL *easy = bump_curl.easy_init();
  CURLcode code = CURLE_OUT_OF_MEMORY;
  if (recipients && easy) {
    code = set(easy, message, recipients, &source, &limit);
    if (code == CURLE_OK && bump_curl.multi_add_handle(call->multi, easy) != CURLM_OK) code = CURLE_FAILED_INIT;
    if (code == CURLE_OK) {
      int running = 1;
      // It ends by `is_over` at the latest. A handle that is removed earlier would send the end of a message.
      while (running) {
        if (bump_curl.multi_perform(call->multi, &running) != CURLM_OK) break;
        int wait = (int)left(&limit);
        if (running && bump_curl.multi_poll(call->multi, NULL, 0, wait, NULL) != CURLM_OK) break;
      }
      int count;
      CURLMsg *done;
      code = CURLE_FAILED_INIT;
      while ((done = bump_curl.multi_info_read(call->multi, &count)))
        if (done->msg == CURLMSG_DONE) code = done->data.result;
      bump_curl.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &answer.status);
      bump_curl.multi_remove_handle(call->multi, easy);
    }
    answer.end = end_of(code, answer.status, &source);
  }
  if (code == CURLE_ABORTED_BY_CALLBACK && !limit.is_cancelled) code = CURLE_OPERATION_TIMEDOUT;
  const char *reason = code == CURLE_ABORTED_BY_CALLBACK ? "it was cancelled" : bump_curl.easy_strerror(code);
  if (code != CURLE_OK) snprintf(answer.reason, sizeof answer.reason, "%s", reason);
  if (easy) bump_curl.easy_cleanup(easy);
  bump_curl.slist_free_all(recipients);
  return answer;
}
