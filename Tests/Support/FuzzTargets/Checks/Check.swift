/// Stops the process where what must hold does not: libFuzzer then keeps the input.
func check(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { fatalError(what()) }
}
