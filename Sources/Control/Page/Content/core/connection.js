// One WebSocket to the router: sends and receives OSC, notices within a second that nothing comes any more, and comes back by itself.
//
// Events: `open` (a new connection), `lost` (nothing came for too long), `text` (detail: a command of OSCQuery). Messages go to `onMessage`.

import { decode, encode } from "./osc.js";

/** After so long without any message the router is asked for a sign of life, in milliseconds, and asked again so often. */
const HEARTBEAT = 400;
/** After so long without any message the values shown may be old. */
const PATIENCE = 800;
/** So often the page says something while messages come: the router forgets a client that is silent for 30 s. */
const SIGN = 5_000;
/** How long one try to reach the router may take, and how long after its begin the next one begins. */
const [TRY, AGAIN] = [700, 400];

export class Connection extends EventTarget {
  /** Takes each message: address and arguments. */
  onMessage = () => {};
  /** The router's name. */
  name = "";
  #socket = null;
  /** When the last message came: by the page's clock, which stands still while the machine sleeps, and by the time of day, which may be set. */
  #heard = { at: 0, on: 0 };
  #pingedAt = 0;
  /** The timer of the next look whether something has come. */
  #nextLook = null;
  #isTrying = false;

  start() {
    // A page that slept asks at once, before it shows anything as true.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#wake();
    });
    addEventListener("online", () => this.#wake());
    addEventListener("pageshow", () => this.#wake());
    // A browser may keep a page that is left, with its connection. What the page holds must end: open microphones, solos, touched faders.
    addEventListener("pagehide", () => this.#socket?.close());
    this.#connect();
  }

  /** Ends the connection for good. */
  end() {
    clearTimeout(this.#nextLook);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** Sends one message, if there is a connection. */
  send(address, ...args) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(encode(address, ...args));
  }

  /** Whether the machine has slept since the last message: what came before that may be old, whatever waits behind it. */
  get #hasSlept() {
    return Date.now() - this.#heard.on - (performance.now() - this.#heard.at) > PATIENCE;
  }

  #ping() {
    this.#pingedAt = performance.now();
    this.send("/ping");
  }

  /** Looks whether something has come, and looks again when the next of these times can be over. */
  #check() {
    clearTimeout(this.#nextLook);
    if (!this.#socket) return;
    const now = performance.now();
    const silence = now - this.#heard.at;
    if (this.#hasSlept || silence >= PATIENCE) return this.#lose();
    if (now - this.#pingedAt >= (silence >= HEARTBEAT ? HEARTBEAT : SIGN)) this.#ping();
    this.#nextLook = setTimeout(() => this.#check(), (silence < HEARTBEAT ? HEARTBEAT : PATIENCE) - silence);
  }

  #wake() {
    this.#check();
    this.#ping();
  }

  #lose() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.dispatchEvent(new Event("lost"));
    this.#connect();
  }

  // The browser makes a page wait longer and longer for a WebSocket if many failed. So a plain request finds out whether the router is there.
  async #connect() {
    if (this.#isTrying) return;
    this.#isTrying = true;
    while (!this.#socket) {
      const began = performance.now();
      try {
        const host = await fetch("/?HOST_INFO", { cache: "no-store", signal: AbortSignal.timeout(TRY) });
        this.name = String((await host.json()).NAME);
        await this.#open();
      } catch {
        const rest = AGAIN - (performance.now() - began);
        if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      }
    }
    this.#isTrying = false;
  }

  #open() {
    return new Promise((resolve, reject) => {
      const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`;
      const socket = new WebSocket(address);
      socket.binaryType = "arraybuffer";
      const limit = setTimeout(() => socket.close(), TRY);
      socket.onopen = () => {
        clearTimeout(limit);
        this.#socket = socket;
        this.#hear();
        this.#check();
        this.dispatchEvent(new Event("open"));
        resolve();
      };
      socket.onclose = () => {
        clearTimeout(limit);
        if (this.#socket === socket) this.#lose();
        reject(new Error("closed"));
      };
      socket.onmessage = (event) => {
        if (this.#socket === socket) this.#receive(event.data);
      };
    });
  }

  #hear() {
    this.#heard = { at: performance.now(), on: Date.now() };
  }

  #receive(data) {
    if (this.#hasSlept) return this.#lose();
    this.#hear();
    if (typeof data === "string") this.dispatchEvent(new CustomEvent("text", { detail: data }));
    else decode(data, this.onMessage);
  }
}
