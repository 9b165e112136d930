"""A smaller run in Firefox, over WebDriver BiDi, which it speaks itself: firefox.py HTTP-ADDRESS OSC-PORT FOLDER

The router has the preset usb-and-headphones. The end is 1 if a check failed."""

import json
import re
import subprocess
import sys
import tempfile

import websocket

from browser import Browser, Failure, Surface
from calls import panic_must_be_held
from desk import (a_finger_is_never_fought, a_finger_moves_the_router, aside_is_finer_and_two_taps_are_0_dB,
                  everything_goes_by_keyboard, names_are_only_text)
from fingers import everyone_elses_finger_is_seen
from routing import the_picture_is_alive
from scenes import GO_recalls_and_the_page_shows_it, preview_equals_recall

KEYS = {"ArrowUp": "\ue013", "ArrowDown": "\ue015", "PageUp": "\ue00e", "PageDown": "\ue00f", "Home": "\ue011", "End": "\ue010"}
SHIFT = "\ue008"


class Firefox(Browser):
    """Firefox with one page. It has what the checks of Chromium use, but for the commands of Chromium's own protocol."""

    def __init__(self, address):
        self.address, self.number, self.errors, self.fingers = address, 0, [], {}
        self.folder = tempfile.TemporaryDirectory()
        self.program = subprocess.Popen(["firefox-esr", "--headless", "--no-remote", "--profile", self.folder.name, "--remote-debugging-port", "0"],
                                        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        place = next(found for line in self.program.stderr if (found := re.search(r"BiDi listening on (ws://\S+)", line))).group(1)
        self.socket = websocket.create_connection(f"{place}/session", timeout=60, suppress_origin=True)
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.context = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.driver = self

    def ask(self, method, **params):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.number:
                if answer["type"] == "error":
                    raise Failure(f"{method}: {answer['message']}")
                return answer["result"]
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.errors.append(answer["params"]["text"])

    # MARK: What Selenium's driver has

    def get(self, address):
        self.ask("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def save_screenshot(self, path):
        pass  # Chromium's are enough.

    # MARK: What the checks use

    def size(self, width, height):
        self.ask("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def run(self, script, *arguments):
        # Values come and go as JSON; an element is there or not.
        function = (f"(text) => JSON.stringify((function () {{ {script} }}).apply(null, JSON.parse(text)) ?? null,"
                    " (_, value) => value instanceof Element || value)")
        result = self.ask("script.callFunction", functionDeclaration=function, awaitPromise=False, target={"context": self.context},
                          arguments=[{"type": "string", "value": json.dumps(arguments)}])
        if result["type"] == "exception":
            raise Failure(f"{script}: {result['exceptionDetails']['text']}")
        return json.loads(result["result"]["value"])

    def log(self):
        errors, self.errors = self.errors, []
        return errors

    def act(self, kind, name, actions, **parameters):
        source = {"type": kind, "id": name, "actions": actions}
        if parameters:
            source["parameters"] = parameters
        self.ask("input.performActions", context=self.context, actions=[source])

    def touch(self, kind, *points):
        if kind == "touchEnd":
            points = [(finger, *self.fingers[finger]) for finger in self.fingers]
        for finger, x, y in points:
            place = {"type": "pointerMove", "x": round(x), "y": round(y)}
            actions = {"touchStart": [place, {"type": "pointerDown", "button": 0}], "touchMove": [place],
                       "touchEnd": [{"type": "pointerUp", "button": 0}]}[kind]
            self.act("pointer", f"finger{finger}", actions, pointerType="touch")
            self.fingers[finger] = (x, y)
        if kind == "touchEnd":
            self.fingers = {}

    def press(self, key, shift=False):
        self.act("key", "keyboard", [{"type": "keyDown", "value": value} for value in ([SHIFT] if shift else []) + [KEYS.get(key, key)]])

    def lift(self, key, shift=False):
        self.act("key", "keyboard", [{"type": "keyUp", "value": value} for value in [KEYS.get(key, key)] + ([SHIFT] if shift else [])])

    def close(self):
        self.ask("browser.close")
        self.socket.close()
        self.program.wait(timeout=20)
        self.folder.cleanup()


CHECKS_HERE = [
    a_finger_moves_the_router, a_finger_is_never_fought, aside_is_finer_and_two_taps_are_0_dB, everything_goes_by_keyboard,
    names_are_only_text, everyone_elses_finger_is_seen, GO_recalls_and_the_page_shows_it, preview_equals_recall,
    the_picture_is_alive, panic_must_be_held,
]


def main():
    address, port, folder = sys.argv[1:4]
    browser, surface, failed = Firefox(address), Surface(int(port)), 0
    for check in CHECKS_HERE:
        browser.size(1024, 768)
        try:
            result = check(browser, surface, folder) if check.__code__.co_argcount > 2 else check(browser, surface)
            errors = browser.log()
            if errors:
                raise Failure(f"the browser says {errors}")
            print(f"ok {check.__name__}", result or "", flush=True)
        except Failure as failure:
            failed = 1
            print(f"failed {check.__name__}: {failure}", flush=True)
    browser.close()
    sys.exit(failed)


if __name__ == "__main__":
    main()
