#include "libcurl.h"

#include <stdlib.h>

struct bump_call *bump_call_make(void) {
  if (!bump_curl_load()) return NULL;
  struct bump_call *call = calloc(1, sizeof *call);
  if (call && !(call->multi = bump_curl.multi_init())) {
    free(call);
    return NULL;
  }
  return call;
}

void bump_call_cancel(struct bump_call *call) {
  atomic_store(&call->is_cancelled, 1);
  bump_curl.multi_wakeup(call->multi);
}

void bump_call_free(struct bump_call *call) {
  bump_curl.multi_cleanup(call->multi);
  free(call);
}

CURLcode bump_curl_set_roots(CURL *easy, const char *roots) {
  CURLcode code = bump_curl.easy_setopt(easy, CURLOPT_CAINFO, roots);
  if (code != CURLE_OK) return code;
  // The system's certificates are also in a folder.
  code = bump_curl.easy_setopt(easy, CURLOPT_CAPATH, (char *)NULL);
  // A libcurl without such a folder.
  return code == CURLE_NOT_BUILT_IN ? CURLE_OK : code;
}
