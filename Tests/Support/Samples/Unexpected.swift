/// An outcome that was not due.
package struct Unexpected: Error {
  package init() {}
}
