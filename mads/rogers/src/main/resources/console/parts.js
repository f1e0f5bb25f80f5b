/** What several screens share: markup, links, times, states, keys. */
import { h } from "./vendor/preact.js";
import { useLayoutEffect, useRef, useState } from "./vendor/hooks.js";
import { signal } from "./vendor/signals.js";
import htm from "./vendor/htm.js";
import { now } from "./api.js";

export const html = htm.bind(h);

/** The screen and its query, as the fragment has them: each view has a link. */
export const route = signal(parse(location.hash));
addEventListener("hashchange", () => (route.value = parse(location.hash)));

function parse(fragment) {
  const [path, ...query] = fragment.replace(/^#?\/?/, "").split("?");
  return { path, query: Object.fromEntries(new URLSearchParams(query.join("?"))) };
}

export function link(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return `#/${path}${given.length ? `?${new URLSearchParams(given)}` : ""}`;
}

/** Goes to a view without a step in the browser's history, while somebody types for instance. */
export function replace(fragment) {
  history.replaceState(null, "", fragment);
  route.value = parse(fragment);
}

/** What keys do at present: key → [what it does, function]; without a function the browser does. */
export const keys = new Map();

/** They are bound with what is drawn, so that no key meets the view before. */
export function useKeys(bindings) {
  useLayoutEffect(() => {
    Object.entries(bindings).forEach(([key, binding]) => keys.set(key, binding));
    return () => Object.keys(bindings).forEach((key) => keys.delete(key));
  });
}

export function onKey(event) {
  const isIn = (selector) => event.target.closest?.(selector) && event.key !== "Escape";
  const act = keys.get(event.key)?.[1];
  if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
  if (isIn("input:not([type=checkbox]), select, textarea") || document.querySelector("dialog")) return;
  event.preventDefault();
  act();
}

export const number = (value) => Number(value).toLocaleString("en").replaceAll(",", "\u202f");
export const count = (value, word) => `${number(value)} ${word}${value === 1 ? "" : "s"}`;

/** What would move a terminal's cursor or turn a line around is shown by its code. */
export function visible(text) {
  const code = (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, code);
}

/** Others' text on one line; what is long is cut. */
export function line(text, most = 300) {
  const cut = text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…` : text;
  return visible(cut.replace(/\s+/g, " "));
}

/** An instant in UTC, in full; others' clocks may write anything. */
export function utc(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? line(String(time), 40) : date.toISOString();
}

/** A span of time as people say it. */
export function span(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  const hours = Math.round(seconds / 3600);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

/** When something was, or since when it is: in UTC where there is room for it, and how long. */
export function Age({ at, isSince }) {
  if (!at) return null;
  const full = utc(at);
  const isToday = full.slice(0, 10) === utc(now.value).slice(0, 10);
  const short = isToday ? full.slice(11, 19) : full.slice(0, 16);
  const length = span(now.value - new Date(at));
  return html`<time datetime=${full} title=${full}>
    <span class="clock">${isSince && "since "}${short}Z, </span>${isSince ? `for ${length}` : `${length} ago`}
  </time>`;
}

/** The first ones of a list or text, and a button that says how many it leaves out, and shows more. */
export function useSome(all, first) {
  const [times, setTimes] = useState(1);
  const most = first * times;
  const more = html`<button type="button" class="quiet" onClick=${() => setTimes(times * 10)}>${number(all.length - most)} more</button>`;
  return [all.slice(0, most), all.length > most && more];
}

/** Of a list of facts, one that is known. */
export const fact = (label, value) => value && html`<dt>${label}</dt><dd>${value}</dd>`;

const SIGNS = {
  ...{ HEALTHY: "●", CONNECTED: "◐", STALE: "▲", DISCONNECTED: "○", AWAY: "◌" },
  ...{ FAILED: "▲", STREAMING: "▶", RUNNING: "▷", PENDING: "◌", COMPLETED: "✓" },
};

/** A state as sign and word: neither colour nor shape alone says it. */
export function State({ of }) {
  const word = of.toLowerCase();
  return html`<span class="state ${word}"><span aria-hidden="true">${SIGNS[of]}</span> ${word}</span>`;
}

/** A text that a button copies; selected instead where the browser only copies on safe origins. */
export function Copyable({ text, what, children }) {
  const shown = useRef();
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    getSelection().selectAllChildren(shown.current);
    await navigator.clipboard?.writeText(text);
    setDone(Boolean(navigator.clipboard));
    setTimeout(setDone, 1500, false);
  };
  return html`<span ref=${shown}>${children}</span>
    <button type="button" class="quiet" aria-label="Copy ${what}" onClick=${copy}>${isDone ? "copied" : "copy"}</button>`;
}
