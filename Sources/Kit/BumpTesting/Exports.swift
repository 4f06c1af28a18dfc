// A test of a whole bump also needs a scripted peer: one import is enough.
@_exported public import BumpScriptedPeer
