"""Checks of the page in a real browser: page.py HTTP-ADDRESS OSC-PORT FOLDER [CHECK|FILE...]

The router has the preset usb-and-headphones, and a folder of presets in which the checks may store. Screenshots go into FOLDER. Each other
file here has checks in its lists CHECKS and LAST. A check takes the browser, a surface and FOLDER; it prints a line, and the end is 1 if one failed."""

import sys
import time

from browser import Browser, Failure, Surface
from modules import modules


def checks():
    """All checks, those in LAST behind the others."""
    all_modules = modules()
    return [check for module in all_modules for check in module.CHECKS] + [check for module in all_modules for check in module.LAST]


def main():
    address, port, folder, *wanted = sys.argv[1:]
    browser, surface = Browser(address), Surface(int(port))
    failed = 0
    for check in checks():
        if wanted and check.__name__ not in wanted and check.__module__ not in wanted:
            continue
        browser.size(1024, 768)
        began = time.monotonic()
        try:
            result = check(browser, surface, folder) if check.__code__.co_argcount > 2 else check(browser, surface)
            errors = browser.log()
            if errors:
                raise Failure(f"the browser says {errors}")
            print(f"ok {check.__name__} ({time.monotonic() - began:.1f} s)", result or "", flush=True)
        except Failure as failure:
            failed += 1
            print(f"failed {check.__name__}: {failure}", flush=True)
    browser.close()
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
