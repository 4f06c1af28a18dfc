// A test of a whole flow has a peer to play too: one import is enough.
@_exported public import BumpScriptedPeer
