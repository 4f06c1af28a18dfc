#ifndef BUMP_SMTP_H
#define BUMP_SMTP_H

#include "call.h"

#include <stddef.h>

/// A message for a server of mail, by libcurl.
struct bump_smtp_message {
  /// `smtp://HOST:PORT/NAME` or, for TLS from the beginning, `smtps://…`. NAME is this machine's in EHLO.
  const char *url;
  /// Whether STARTTLS is required. Without it, and without smtps, nothing is encrypted.
  int starts_tls;
  /// The addresses of the envelope. libcurl passes on what is in them: they have no control character, space or bracket.
  const char *sender;
  const char *recipient;
  /// NULL for none. Only where the connection is encrypted, or goes to this machine.
  const char *user;
  const char *password;
  /// A file with trusted certificates in PEM; NULL for those of the system.
  const char *roots;
  /// The message with its header. Each line ends with CR LF.
  const char *bytes;
  size_t count;
  /// How long the connection may take, TLS included, and all of it; and how long still where it is cancelled.
  long connect_milliseconds;
  long milliseconds;
  long farewell_milliseconds;
};

/// How sending a message ended.
enum bump_smtp_end {
  BUMP_SMTP_ACCEPTED,
  /// The server has refused it, with the status that is in the answer.
  BUMP_SMTP_REFUSED,
  /// The server does not take the user and the password.
  BUMP_SMTP_DENIED,
  /// The server offers no STARTTLS, or no TLS connection can be made with it.
  BUMP_SMTP_NO_TLS,
  /// The server's certificate is not trusted here, or is another host's.
  BUMP_SMTP_UNTRUSTED,
  /// Nothing of the message was sent.
  BUMP_SMTP_UNSENT,
  /// The message may have been sent, and no answer came.
  BUMP_SMTP_LOST,
};

struct bump_smtp_answer {
  enum bump_smtp_end end;
  /// The status of SMTP, such as 550; 0 where there was none.
  long status;
  /// Why a message failed, in English; "" for none. It has nothing of the message or the server's words in it.
  char reason[256];
};

/// Sends a message on a connection of its own, and returns once that has ended. Where the call is cancelled, the message
/// has its farewell, and nothing further.
struct bump_smtp_answer bump_smtp_send(struct bump_call *call, const struct bump_smtp_message *message);

#endif
