/** A JSON value as a tree that opens and closes. All of it is text nodes: nothing in it can run. */
import { useState } from "./vendor/hooks.js";
import { html, line, number, useSome, visible } from "./parts.js";

const MAX_STRING = 2000;
const MAX_CHILDREN = 100;
const OPEN_DEPTH = 3;
const MAX_INDENT = 12; // 64 levels would leave no room on a phone

/** A value as compact JSON of about so many characters; what is longer isn't even looked at. */
export function compact(value, most) {
  if (typeof value === "string") return JSON.stringify(value.slice(0, most));
  if (value === null || typeof value !== "object") return String(value);
  const isList = Array.isArray(value);
  let text = isList ? "[" : "{";
  for (const key in value) {
    if (text.length > most) return `${text}…`;
    if (text.length > 1) text += ", ";
    if (!isList) text += `${key.slice(0, most)}: `;
    text += compact(value[key], Math.max(0, most - text.length));
  }
  return text + (isList ? "]" : "}");
}

/** A message on one line: what people look for in it first. */
export function says({ payload, text = "", malformed }) {
  if (malformed) return `${line(malformed)}: ${line(text)}`;
  if (payload === undefined) return line(text);
  const words = [payload.text, payload.message, payload.prompt, payload.error];
  return line(words.find((each) => typeof each === "string" && each) ?? compact(payload, 300));
}

export function Tree({ value }) {
  return html`<div class="tree"><${Node} value=${value} depth=${0} /></div>`;
}

function Node({ name, value, depth }) {
  const label = name === undefined ? "" : html`<span class="name">${line(name)}</span>: `;
  const isLeaf = value === null || typeof value !== "object";
  if (isLeaf) return html`<div class="leaf">${label}<${Leaf} value=${value} /></div>`;
  const entries = Object.entries(value);
  if (entries.length === 0) return html`<div class="leaf">${label}${Array.isArray(value) ? "[]" : "{}"}</div>`;
  return html`<${Branch} ...${{ label, value, entries, depth }} />`;
}

function Branch({ label, value, entries, depth }) {
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && (depth === 0 || entries.length <= 20));
  const [shown, more] = useSome(entries, MAX_CHILDREN);
  const size = Array.isArray(value) ? `[${number(entries.length)}]` : `{${number(entries.length)}}`;
  return html`<details open=${isOpen} onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary>
      ${label}<span class="size">${size}</span>
      ${!isOpen && html` <span class="beginning">${line(compact(value, 60), 80)}</span>`}
    </summary>
    ${isOpen &&
    html`<div class=${depth < MAX_INDENT ? "branch" : "branch deep"}>
      ${shown.map(([key, each]) => html`<${Node} key=${key} name=${key} value=${each} depth=${depth + 1} />`)}
      ${more}
    </div>`}
  </details>`;
}

/** A value without members; a long text in parts. */
export function Leaf({ value, first = MAX_STRING }) {
  const [shown, more] = useSome(String(value), first);
  if (typeof value !== "string") return html`<span class="literal">${shown}</span>`;
  return html`<span class="string">${visible(shown)}</span>${more}`;
}
