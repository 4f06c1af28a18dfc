// A program that imports BumpKit also handles its amounts, claims, links and services: one import is enough.
@_exported public import BumpCards
@_exported public import BumpClaims
@_exported public import BumpDNSSD
@_exported public import BumpDiscovery
@_exported public import BumpNet
@_exported public import BumpNoise
@_exported public import BumpSession
@_exported public import BumpStore
@_exported public import BumpText
@_exported public import BumpWire
