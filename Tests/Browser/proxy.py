"""A check of the page behind nginx with TLS, as docs/guide/page.md sets it up: proxy.py HTTP-HOST:PORT DOCUMENT FOLDER

The router serves HTTP at HTTP-HOST:PORT, an address of the network, and gives this host `view` or less. The end is 1 if the check failed."""

import pathlib
import re
import socket
import ssl
import subprocess
import sys
import time

import websocket

from browser import Browser, Failure

PORT = 9443


def configuration(router, document, folder):
    """The lines of the document, for this router, with a certificate of its own."""
    text = re.search(r"```nginx\n(.*?)```", pathlib.Path(document).read_text(), re.DOTALL).group(1)
    for old, new in {"192.168.1.10:9480": router, "https://desk.example": f"https://localhost:{PORT}", "listen 443 ssl": f"listen 127.0.0.1:{PORT} ssl",
                     "desk.example": "localhost", "desk.crt": f"{folder}/desk.crt", "desk.key": f"{folder}/desk.key"}.items():
        if old not in text:
            raise Failure(f"the document has no {old}")
        text = text.replace(old, new)
    return f"daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; events {{}} http {{ access_log {folder}/access.log; {text} }}"


def start(router, document, folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost", "-keyout", f"{folder}/desk.key", "-out", f"{folder}/desk.crt"],
                   check=True, capture_output=True)
    path = pathlib.Path(folder) / "nginx.conf"
    path.write_text(configuration(router, document, folder))
    nginx = subprocess.Popen(["/usr/sbin/nginx", "-c", str(path), "-p", folder])
    end = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", PORT), 1).close()
            return nginx
        except OSError:
            if nginx.poll() is not None or time.monotonic() > end:
                raise Failure((pathlib.Path(folder) / "nginx.log").read_text())
            time.sleep(0.05)


def check(router, document, folder):
    nginx = start(router, document, folder)
    try:
        # A page of another site gets no connection.
        trust = {"ca_certs": f"{folder}/desk.crt", "cert_reqs": ssl.CERT_REQUIRED}
        websocket.create_connection(f"wss://localhost:{PORT}/", origin=f"https://localhost:{PORT}", sslopt=trust, timeout=10).close()
        try:
            websocket.create_connection(f"wss://localhost:{PORT}/", origin="https://elsewhere.example", sslopt=trust, timeout=10)
        except websocket.WebSocketException:
            pass
        else:
            raise Failure("a page of another site got a connection")
        browser = Browser(f"https://localhost:{PORT}", ["--ignore-certificate-errors"])
        try:
            browser.size(1024, 768)
            browser.open()
            right = browser.value("document.body.dataset.right")
            if right not in ("view", "mix"):
                raise Failure(f"who comes through the proxy has the right {right}")
            if not browser.value("isSecureContext"):
                raise Failure("the page is not secure")
        finally:
            browser.close()
    finally:
        nginx.terminate()
        nginx.wait()


def main():
    try:
        check(*sys.argv[1:4])
    except Exception as error:
        print(f"failed the_page_behind_nginx: {error}", flush=True)
        sys.exit(1)
    print("ok the_page_behind_nginx", flush=True)


if __name__ == "__main__":
    main()
