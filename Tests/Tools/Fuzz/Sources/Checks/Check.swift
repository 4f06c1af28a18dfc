/// Stops the process where what must hold does not: libFuzzer then keeps the input.
public func check(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { fatalError(what()) }
}
