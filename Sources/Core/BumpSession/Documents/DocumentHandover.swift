package import BumpClaims

/// The handover of a document. A document is in no store, does not expire and has no link of its own, so it requests
/// nothing of the driver.
package struct DocumentHandover: Handover {
  package typealias Request = Never
  package typealias Answer = Never

  package let subject: SenderSession.Subject

  package init(_ document: OfferedDocument) {
    subject = .document(document)
  }

  package var remembers: Bool { false }
  package var expiry: Expiry? { nil }
  package var end: Moment? { nil }

  package func request(_ output: SenderSession.Output, on id: ConnectionID) -> Never? { nil }

  package func handle(_ answer: Never, isInterrupted: Bool) -> (id: ConnectionID, input: SenderSession.Input)? {}

  package var conclusion: Result<DocumentOutcome, StoreError>? { nil }

  package func fallBack(_ reason: FallbackReason, _ failed: [FailedPeer]) -> Never? { nil }

  package func delivered(to name: DisplayName, _ result: StoreResult) -> DocumentOutcome {
    .delivered(to: name, wasThere: result == .duplicate)
  }

  package func unknown(_ name: DisplayName, isInterrupted: Bool) -> DocumentOutcome {
    isInterrupted ? .interrupted(mayBeThere: true) : .unknown(name)
  }

  package func undelivered(_ reason: FallbackReason, _ failed: [FailedPeer]) -> DocumentOutcome {
    .undelivered(reason, failed)
  }

  package var interrupted: DocumentOutcome { .interrupted(mayBeThere: false) }

  package func expired(at now: Moment) -> DocumentOutcome? { nil }
}
