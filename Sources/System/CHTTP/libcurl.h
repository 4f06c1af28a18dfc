#ifndef BUMP_LIBCURL_H
#define BUMP_LIBCURL_H

#include "call.h"

#include <curl/curl.h>
#include <stdatomic.h>

/// The functions of libcurl that are used, by their own types.
struct bump_curl_functions {
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
};

extern struct bump_curl_functions bump_curl;

/// Loads libcurl at the first call. Returns 0 where it is not installed, or lacks what is needed.
int bump_curl_load(void);

struct bump_call {
  CURLM *multi;
  atomic_int is_cancelled;
};

/// Trusts the certificates of a file in PEM in place of the system's.
CURLcode bump_curl_set_roots(CURL *easy, const char *roots);

#endif
