/// What a seed decides in a test, it decides in every run alike.
@_exported public import struct BumpFaults.SplitMix64
