"""What sixteen pages cost the router beside sixteen tablets: pages.py HTTP-ADDRESS OSC-PORT PROCESS LAYOUT

The tablets subscribe to what the shipped layout for Open Stage Control subscribes to. The pages are sixteen WebSockets that say what a real page
said, because sixteen browsers would leave the router no processor. All see the same eight faders move thirty times a second. The router's time on
the processor is counted, which a busy machine changes little. The end is 1 if the pages cost more."""

import os
import re
import sys
import threading
import time

import websocket

from browser import Browser, Failure, Surface
from storm import blow, make

GUESTS = 16
FADERS = 8
SECONDS = 10
# So many packets have come to a guest when its first values are there and the faders move.
SETTLED = 50


class Guest:
    """Reads all that comes, and says something again and again, until it is ended."""

    def __init__(self):
        self.ended, self.count = threading.Event(), 0
        self.threads = [threading.Thread(target=self.read), threading.Thread(target=self.talk)]
        for thread in self.threads:
            thread.start()

    def end(self):
        self.ended.set()
        for thread in self.threads:
            thread.join()
        self.leave()

    def read(self):
        while not self.ended.is_set():
            try:
                self.receive()
                self.count += 1
            except (TimeoutError, websocket.WebSocketTimeoutException):
                pass

    def talk(self):
        for pause, say in self.words():
            if self.ended.wait(pause):
                return
            say()


class Tablet(Guest):
    def __init__(self, port, patterns):
        self.surface, self.patterns = Surface(port), patterns
        self.surface.socket.settimeout(0.5)
        self.receive = lambda: self.surface.socket.recv(65_536)
        super().__init__()

    def leave(self):
        # Otherwise the router would go on sending for 30 s.
        self.surface.send("/bye")
        self.surface.socket.close()

    def words(self):
        yield 0, lambda: self.surface.send("/bank/1/size", 8)
        # The layout says all at first, and then one greeting every three seconds.
        pause = 0
        while True:
            for pattern, rate in self.patterns:
                yield pause, lambda: self.surface.send("/subscribe", pattern, rate)
            pause = 3


class Page(Guest):
    def __init__(self, address, said):
        self.socket = websocket.create_connection(address.replace("http", "ws", 1), origin=address, timeout=0.5)
        self.said, self.receive = said, self.socket.recv
        super().__init__()

    def leave(self):
        self.socket.close()

    def words(self):
        for frame in self.said:
            yield 0, lambda: self.socket.send_binary(frame)
        while True:
            # A page that hears something says so little.
            yield 5, lambda: self.socket.send_binary(b"/ping\0\0\0,\0\0\0")


def words_of_page(address):
    """What a page at 1,024 x 768 sends until it shows all."""
    browser = Browser(address)
    try:
        browser.size(1024, 768)
        browser.command("Page.addScriptToEvaluateOnNewDocument", source="""
            const send = WebSocket.prototype.send;
            window.said = [];
            WebSocket.prototype.send = function (frame) {
              window.said.push([...new Uint8Array(frame)]);
              return send.call(this, frame);
            };""")
        browser.open()
        browser.until("window.said.some((frame) => String.fromCharCode(...frame).includes('/meter/session/'))")
        return [bytes(frame) for frame in browser.value("window.said")]
    finally:
        browser.close()


def patterns_of(layout):
    with open(layout, encoding="utf-8") as file:
        text = file.read()
    found = re.findall(r"send\('/subscribe', \{type: 's', value: '([^']+)'\}, \{type: 'f', value: (\d+)\}\)", text)
    if len(found) < 10:
        raise Failure(f"{layout} has {len(found)} subscriptions")
    return [(pattern, float(rate)) for pattern, rate in found]


def seconds_of(process):
    """The time that a process has had on processors."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cost(process):
    """The share of a core that the router takes, from now on."""
    before, began = seconds_of(process), time.monotonic()
    time.sleep(SECONDS)
    return (seconds_of(process) - before) / (time.monotonic() - began)


def crowded(process, enter):
    """The same with sixteen guests."""
    guests = [enter() for _ in range(GUESTS)]
    end = time.monotonic() + 30
    while min(guest.count for guest in guests) < SETTLED:
        if time.monotonic() > end:
            raise Failure(f"guests heard only {[guest.count for guest in guests]}")
        time.sleep(0.01)
    share = cost(process)
    for guest in guests:
        guest.end()
    counts = [guest.count for guest in guests]
    if min(counts) < 10 * SECONDS:
        raise Failure(f"guests heard only {counts}")
    return share


def main():
    address, port, process, layout = sys.argv[1], int(sys.argv[2]), *sys.argv[3:]
    surface, patterns = Surface(port), patterns_of(layout)
    make(surface, FADERS)
    ended, sent = threading.Event(), []
    wind = threading.Thread(target=blow, args=(surface, ended, sent, FADERS))
    wind.start()
    failed = 0
    try:
        alone = cost(process)
        tablets = crowded(process, lambda: Tablet(port, patterns)) - alone
        said = words_of_page(address)
        pages = crowded(process, lambda: Page(address, said)) - alone
        failed += pages > tablets
        print(f"{'failed' if failed else 'ok'} sixteen pages take {100 * pages:.1f} % of a core, sixteen tablets {100 * tablets:.1f} %, "
              f"the router without them {100 * alone:.1f} %", flush=True)
    except Failure as failure:
        failed += 1
        print(f"failed: {failure}", flush=True)
    ended.set()
    wind.join()
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
