"""draw.py RECORDING: writes an SVG picture of the two terminals of a recording to stdout.

Each state of a line is a text of its own, which is visible from one moment to another. Viewers that prefer reduced motion,
or cannot move a picture, show the end. The colours follow the viewer's preference for light or dark."""

import json
import sys
from html import escape

import pyte

WIDTH, HEIGHT, FONT = 7.8, 19, 13  # of a character, of a line, and of the letters, in pixels
PADDING, TITLE, GAP = 10, 28, 12
TOGETHER = 0.03  # seconds: what comes so close is one change

STYLE = """
text{font:%(font)dpx ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328;white-space:pre}
.w{fill:#f6f8fa;stroke:#d0d7de}.n{fill:#656d76}.s{visibility:hidden}.e{visibility:visible}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.w{fill:#161b22;stroke:#30363d}.n{fill:#8d96a0}}
@media (prefers-reduced-motion:no-preference){
.s,.e{animation-duration:%(seconds)gs;animation-timing-function:step-end;animation-iteration-count:infinite}
%(moments)s}
"""


def states(terminal, columns, lines, seconds):
    """The states of the terminal's lines: each with its line, its text, and from when to when it was shown."""
    screen = pyte.Screen(columns, lines)
    stream = pyte.Stream(screen)
    shown = terminal["shown"]
    now = {}  # line: (text, since)
    for number, (moment, text) in enumerate(shown):
        stream.feed(text)
        if number + 1 < len(shown) and shown[number + 1][0] - moment < TOGETHER:
            continue
        for line, content in enumerate(screen.display):
            content = content.rstrip()
            before, since = now.get(line, ("", 0.0))
            if content == before:
                continue
            if before:
                yield line, before, since, moment
            now[line] = (content, moment)
    for line, (content, since) in now.items():
        if content:
            yield line, content, since, seconds


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        recording = json.load(file)
    seconds, columns, lines = recording["seconds"], recording["columns"], recording["lines"]
    width = columns * WIDTH + 2 * PADDING
    height = TITLE + lines * HEIGHT + PADDING
    moments, body = {}, []
    for number, terminal in enumerate(recording["terminals"]):
        left = number * (width + GAP) + 0.5
        body.append(f'<rect class="w" x="{left:g}" y=".5" width="{width:g}" height="{height:g}" rx="8"/>')
        body.append(f'<text class="n" x="{left + width / 2:g}" y="20" text-anchor="middle">{escape(terminal["name"])}</text>')
        for line, text, since, until in states(terminal, columns, lines, seconds):
            name = moments.setdefault((since, until), f"m{len(moments)}")
            start = len(text) - len(text.lstrip())
            x, y = left + PADDING + start * WIDTH, TITLE + line * HEIGHT + FONT
            text = text.lstrip()
            kind = "e" if until == seconds else "s"
            body.append(
                f'<text class="{kind} {name}" x="{x:g}" y="{y:g}" textLength="{len(text) * WIDTH:g}">{escape(text)}</text>')
    rules = []
    for (since, until), name in moments.items():
        steps = [("0", "hidden"), (f"{since / seconds * 100:.2f}", "visible")]
        if until < seconds:
            steps.append((f"{until / seconds * 100:.2f}", "hidden"))
        frames = "".join(f"{percent}%{{visibility:{value}}}" for percent, value in steps)
        rules.append(f".{name}{{animation-name:{name}}}@keyframes {name}{{{frames}}}")
    style = STYLE % {"font": FONT, "seconds": seconds, "moments": "\n".join(rules)}
    total = 2 * width + GAP + 1
    label = "Two terminals: alice sends 1.00 USDC, bob receives it, and both compare six digits."
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total:g} {height + 1:g}" role="img" aria-label="{label}">')
    print(f"<title>{label}</title>")
    print(f"<style>{style}</style>")
    print("\n".join(body))
    print("</svg>")


main()
