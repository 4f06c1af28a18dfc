// On Apple's systems, MultipeerConnectivity is the system's framework, and this file is all that is built of this folder,
// as a target of another name. With it, a package that asks for the product on Linux alone resolves there too: Swift's
// package manager looks for a product on every system, whatever its condition says.
