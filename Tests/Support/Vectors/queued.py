#!/usr/bin/env python3
"""Writes queued.json: sessions in mode open and key in which S waits in R's queue, before NOISE_1 and after OFFER.

Both halves of Tests/Tools/OtherEnd talk to each other, with the randomness and the claim of sessions.json. Both ends ask
their person.
"""
import json, pathlib, socket, sys, threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "Tools/OtherEnd"))
import other_end as end

PLACES, PLACES_INSIDE = [2, 1], [1]


def session(vector):
    given = lambda name: bytes.fromhex(vector[name]) if vector.get(name) else None
    random = {each: end.Randomness(given(f"nonce{each}"), given(f"ephemeral{each}")) for each in "RS"}
    wires = [end.Wire(each) for each in socket.socketpair()]

    def receive():
        channel = end.opened_by_receiver(wires[0], given("key"), random["R"], PLACES)
        channel.read(end.OFFER)
        for place in PLACES_INSIDE:
            channel.send(end.QUEUED_INSIDE, bytes([place]))
        channel.send(end.HOLD, b"\x3c")
        end.accepted(channel, "bob")
        channel.read_unheld(end.CLAIM)
        channel.send(end.STORED, b"\0")

    receiver = threading.Thread(target=receive)
    receiver.start()
    channel = end.opened_by_sender(wires[1], vector["offer"].encode(), given("key"), random["S"])
    channel.read_answer(end.ACCEPT)
    channel.send(end.HOLD, b"\x3c")
    payload = vector["claim"].encode()
    channel.send(end.CLAIM, channel.mac(payload) + payload)
    channel.read(end.STORED)
    receiver.join()
    return channel, *(iter(wire.sent) for wire in wires)


def main():
    written = []
    for vector in json.loads((HERE / "sessions.json").read_text()):
        if vector["mode"] == "code":
            continue
        channel, r, s = session(vector)
        # HELLO, WELCOME, QUEUED …, NOISE_1, NOISE_2, OFFER, QUEUED …, HOLD, ACCEPT, HOLD, CLAIM, STORED.
        order = [r, s] + [r] * len(PLACES) + [r, s, s] + [r] * len(PLACES_INSIDE) + [r, r, s, s, r]
        names = ("mode", "key", "nonceR", "nonceS", "ephemeralR", "ephemeralS", "offer", "claim")
        written.append({
            **{name: vector[name] for name in names if name in vector},
            "places": PLACES, "placesInside": PLACES_INSIDE, "handshakeHash": channel.h.hex(),
            "digits": f"{channel.digits:06}", "frames": [next(each).hex() for each in order],
        })
    (HERE / "queued.json").write_text(json.dumps(written, indent=1) + "\n")


main()
