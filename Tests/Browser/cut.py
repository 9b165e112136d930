"""Two pages and a surface of python-osc over a network that is cut: cut.py HTTP-ADDRESS OSC-HOST:PORT SECONDS CUTS ROUTER...

All three move faders and switches at random for SECONDS, and the network is cut CUTS times. A page says within a second that the connection is
lost, and is back within a second of the network. In the end all three show what the router has. This script runs in a network of its own; ROUTER
are the words that enter that of the router. The end is 1 if a check failed."""

import random
import subprocess
import sys
import time

from pythonosc.osc_packet import OscPacket

from browser import Browser, Failure, Surface

PATTERNS = ["/session/*/{fader,mute}", "/output/*/{fader,mute}"]
# What the page says of itself, with times of day in seconds.
WATCH = """
window.states = [];
new MutationObserver(() => window.states.push([document.body.dataset.state, Date.now() / 1000])).observe(
  document.body, { attributes: true, attributeFilter: ['data-state'] });"""
SHOWN = """return Object.fromEntries([
  ...[...document.querySelectorAll('mr-fader')].map((it) => [`${it.getAttribute('address')}/fader`, parseFloat(it.ariaValueNow)]),
  ...[...document.querySelectorAll('mr-switch.mute')].map((it) => [it.getAttribute('address'), Number(it.ariaChecked == 'true')])])"""


class Mirror(Surface):
    """A surface that keeps what it is told, and asks again for what was lost."""

    def __init__(self, port, host):
        super().__init__(port, host)
        self.values, self.last = {}, None
        for pattern in PATTERNS:
            self.send("/subscribe", pattern)

    def send(self, address, *arguments):
        try:
            super().send(address, *arguments)
        except OSError:
            pass  # The network is cut.

    def listen(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                packet = OscPacket(self.socket.recv(70_000))
            except OSError:
                continue
            for timed in packet.messages:
                self.take(timed.message.address, timed.message.params)

    def take(self, address, params):
        if address in ("/seq", "/alive"):
            if self.last is not None and params[1] > self.last + (address == "/seq"):
                self.send("/resync", self.last)
            self.last = params[1]
        elif address.endswith(("/fader", "/mute")):
            self.values[address] = params[0]


class Network:
    """The cable between the machines. Each cut is one that happens: an interface that goes down here, one that goes down there, silence."""

    def __init__(self, router, address):
        self.router, self.address = router, address
        self.count = 0

    def run(self, words, there=False):
        subprocess.run((self.router if there else []) + words.split(), check=True)

    def cut(self):
        kind = self.count % 3
        self.count += 1
        if kind < 2:
            self.run("ip link set cable0 down", there=kind == 1)
            return lambda: self.run("ip link set cable0 up", there=kind == 1)
        # Packets go to a machine that is not there.
        ends = [(self.address, False), ("10.77.0.2", True)]
        for address, there in ends:
            self.run(f"ip neigh replace {address} lladdr 02:00:00:00:00:99 dev cable0 nud permanent", there)
        return lambda: [self.run(f"ip neigh del {address} dev cable0", there) for address, there in ends]


def move(chance, pages, mirror):
    """One move of somebody."""
    whom = chance.randrange(3)
    if whom == 2:
        target = chance.choice(["/session/show", "/session/foyer", "/session/announce", "/output/usb", "/output/headphones"])
        if chance.random() < 0.2:
            mirror.send(f"{target}/mute", chance.randrange(2))
        else:
            mirror.send(f"{target}/fader", chance.uniform(0, 0.75))
        return
    page = pages[whom]
    if chance.random() < 0.2:
        page.run("const all = [...document.querySelectorAll('mr-switch.mute')]; all[Math.floor(arguments[0] * all.length)].click()", chance.random())
    else:
        page.run("const all = [...document.querySelectorAll('mr-fader')]; all[Math.floor(arguments[0] * all.length)].focus()", chance.random())
        page.key(chance.choice(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "0"]))


def since(page, state, moment):
    """How long after a moment the page came into a state."""
    page.until("window.states.some(([state, at]) => state == arguments[0] && at >= arguments[1])", state, moment)
    return page.value("window.states.find(([state, at]) => state == arguments[0] && at >= arguments[1])[1]", state, moment) - moment


def cut(network, pages, mirror):
    """Cuts the network for some seconds, and answers how late the pages said so, and how late they were back."""
    began = time.time()
    mend = network.cut()
    lost = max(since(page, "lost", began) for page in pages)
    mirror.listen(2)
    mended = time.time()
    mend()
    back = max(since(page, "live", mended) for page in pages)
    for page in pages:
        page.until("!document.querySelector('[data-waiting]')", seconds=1)
    if lost > 1 or back > 1:
        raise Failure(f"cut {network.count}: the pages said so after {lost:.2f} s, and were back after {back:.2f} s")
    return f"{lost:.2f} s and {back:.2f} s"


def decibels(place):
    """The law of faders, as docs/develop/law/osc.md has it."""
    for least, slope, rest in ((0.5, 40, 30), (0.25, 80, 50), (0.0625, 160, 70), (0, 480, 90)):
        if place >= least:
            return slope * place - rest


def differences(pages, mirror):
    """Where a page or the surface shows another value than the router has."""
    wrong = []
    for number, page in enumerate(pages):
        for address, shown in page.run(SHOWN).items():
            truth = mirror.get(address)[0]
            expected = decibels(truth) if address.endswith("/fader") else truth
            if shown is None or abs(shown - expected) > 0.051:
                wrong.append(f"page {number} shows {shown} for {address}, which is {expected}")
    for address, shown in mirror.values.items():
        truth = mirror.get(address)[0]
        if shown != truth:
            wrong.append(f"the surface shows {shown} for {address}, which is {truth}")
    return wrong


def agree(pages, mirror):
    """Waits until all show the same."""
    end = time.monotonic() + 5
    while True:
        mirror.listen(0.3)
        wrong = differences(pages, mirror)
        if not wrong:
            return
        if time.monotonic() > end:
            raise Failure("; ".join(wrong))


def check(pages, mirror, network, seconds, cuts):
    seed = random.randrange(1_000_000)
    chance = random.Random(seed)
    for page in pages:
        page.size(1024, 768)
        page.open()
        page.run(WATCH)
    moves, told = 0, []
    for _ in range(cuts + 1):
        end = time.monotonic() + seconds / (cuts + 1)
        while time.monotonic() < end:
            move(chance, pages, mirror)
            mirror.listen(0.01)
            moves += 1
        if len(told) < cuts:
            told.append(cut(network, pages, mirror))
    mirror.send("/resync", mirror.last)
    agree(pages, mirror)
    if len(mirror.values) < 8 or moves < 5 * seconds:
        raise Failure(f"seed {seed}: {len(mirror.values)} values and {moves} moves are too few")
    return f"seed {seed}: {moves} moves, {len(mirror.values)} values; lost and back after {', '.join(told)}"


def main():
    page, place, seconds, cuts, *router = sys.argv[1:]
    host, port = place.split(":")
    pages, failed = [Browser(page), Browser(page)], 0
    try:
        print("ok two_pages_and_a_surface_agree", check(pages, Mirror(int(port), host), Network(router, host), float(seconds), int(cuts)), flush=True)
    except Failure as failure:
        failed = 1
        print(f"failed two_pages_and_a_surface_agree: {failure}", flush=True)
    for browser in pages:
        browser.close()
    sys.exit(failed)


if __name__ == "__main__":
    main()
