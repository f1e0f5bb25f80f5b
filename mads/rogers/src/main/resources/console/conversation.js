/** The screen Conversation: who said what to whom, drawn as a sequence diagram, live. */
import { useRef, useState } from "./vendor/hooks.js";
import { A_DAY_MS, PAUSE_MS, RETRY_MS, WAIT_MS, call, config, useLoop } from "./api.js";
import { count, html, line, link, number, replace, utc } from "./parts.js";
import { Opened, item, useRowKeys } from "./messages.js";
import { download } from "./result.js";
import { Drawing, MAX_LIFELINES, isForAll, label, lifelinesOf, standalone, target } from "./sequence.js";

export const path = "conversation";
export const name = "messages conversation";
export const title = "Conversation";

/** What is drawn at once; an answer of Dewey has no more. */
const MAX_ROWS = 500;
const PAGE = { limit: MAX_ROWS, max_bytes: 2_000_000 };
/** Also what services say to each other, which is housekeeping elsewhere; streams would drown it. */
const SAID = { channels: ["mad.direct.*", "mad.topic.*", "mad.broadcast"], housekeeping: true };

/** What Dewey keeps of a conversation, and what Rogers heard of late: each message once. */
class Transcript {
  items = [];
  dropped = 0;
  missed = 0;
  /** The last answers; Dewey's is asked for again where Rogers' has a gap. */
  history = undefined;
  last = {};

  async ask(ids, before, stop) {
    if (!config.value.services.includes("dewey")) this.history ??= { message: "Dewey isn't run here." };
    const isDue = !this.history || this.history.code === "unavailable";
    if (isDue) {
      this.history = await call("dewey", "dewey_history", { ...ids, ...PAGE, before: Number(before) || undefined }, stop);
      const kept = this.history.messages ?? [];
      this.add(kept.map(({ envelope, heard_at, position }) => ({ ...envelope, at: heard_at, position })));
    }
    const isAway = this.history.code === "unavailable";
    if (before) return isAway ? RETRY_MS : A_DAY_MS;
    const isDrawn = this.last.next && (!isDue || isAway);
    const ms = isAway ? RETRY_MS : WAIT_MS;
    return this.follow({ ...ids, wait_ms: isDrawn ? ms : 0 }, stop);
  }

  async follow(input, stop) {
    const { next } = this.last;
    const answer = await call("rogers", "rogers_recent", { ...input, ...SAID, limit: MAX_ROWS, after: next }, stop);
    this.last = { next, ...answer };
    if (answer.status !== "success") return RETRY_MS;
    const isBroken = next !== undefined && answer.skipped === undefined; // Rogers began anew
    const missed = isBroken ? 1 : (answer.skipped ?? 0) + (answer.unread ?? 0);
    if (missed > 0 && this.history.status === "success") this.history = undefined;
    else this.missed += missed;
    this.add(answer.messages);
    return PAUSE_MS;
  }

  /** A post to several is one message on several channels; the order is by when it was heard. */
  add(messages) {
    const rows = new Map(this.items.map((each) => [each.id, each]));
    for (const message of messages) {
      const row = rows.get(message.message_id) ?? { ...item(message), channels: new Set() };
      row.channels.add(message.channel);
      row.message.position ??= message.position;
      rows.set(row.id, row);
    }
    const all = [...rows.values()].sort((a, b) => Date.parse(a.message.at) - Date.parse(b.message.at));
    this.items = all.slice(-MAX_ROWS);
    this.dropped += all.length - this.items.length;
  }
}

export function View({ query }) {
  const { id, correlation, before } = query;
  if (id || correlation) return html`<${Known} key=${String([id, correlation, before])} query=${query} />`;
  return html`<h1 tabindex="-1">Conversation</h1>
    <p>It is opened from a message: see <a href=${link("messages")}>Messages</a>.</p>`;
}

function Known({ query }) {
  const { id, correlation, before, message } = query;
  const transcript = useRef(new Transcript()).current;
  const ids = id ? { conversation_id: id } : { correlation_id: correlation };
  useLoop((stop) => transcript.ask(ids, before, stop), []);
  const change = (values) => replace(link(path, { ...query, ...values }));
  useRowKeys(transcript.items, message, change);
  const lifelines = lifelinesOf(transcript.items);
  return html`<${Head} ...${{ items: transcript.items, lifelines, query }} />
    <${Notes} ...${{ transcript, lifelines, query }} />
    <div class=${message ? "split" : ""}>
      <${Drawing} ...${{ transcript, lifelines, query }} />
      ${message && html`<${Opened} key=${message} ...${{ tail: transcript, id: message, change }} />`}
    </div>`;
}

function Head({ items, lifelines, query: { id, correlation } }) {
  const [copied, setCopied] = useState(0);
  const people = [...lifelines.keys()].filter((each) => !isForAll(each)).length;
  const copy = async () => {
    const text = mermaid(items, lifelines);
    if (!navigator.clipboard) return download("conversation.mmd", text, "text/plain"); // no safe origin
    await navigator.clipboard.writeText(text);
    return setCopied(items.length);
  };
  const save = () => download("conversation.svg", standalone(), "image/svg+xml");
  return html`<div class="counters">
    <h1 tabindex="-1">${id ? "Conversation" : "Correlation"}</h1>
    <code>${line(id ?? correlation, 36)}</code>
    <a href=${link("messages", id ? { conversation: id } : { correlation })}>As messages</a>
    ${items.length > 0 &&
    html`<span>${count(items.length, "message")} of ${count(people, "participant")}</span>
      <button type="button" id="mermaid" onClick=${copy}>${copied === items.length ? "Copied" : "Copy as Mermaid"}</button>
      <button type="button" id="save" onClick=${save}>Download SVG</button>`}
  </div>`;
}

/** What isn't shown, and why. */
function Notes({ transcript: { items, history = {}, last, missed, dropped }, lifelines, query }) {
  // Before this position Dewey has more; that of the latest messages isn't known yet.
  const isKept = dropped > 0 && history.status === "success";
  const before = isKept ? (items[0].message.position ?? Number.MAX_SAFE_INTEGER) : history.before;
  const others = { ...query, message: undefined };
  const since = last.oldest_at ? `, since ${utc(last.oldest_at).slice(0, 19)}Z` : "";
  const notes = [
    history.message && `${line(history.message)} Shown is what Rogers has in memory${since}.`,
    last.message && line(last.message),
    ...(history.caveats ?? last.caveats ?? []),
    missed > 0 && "Some messages aren't shown: they were too many at once, or Rogers began anew.",
    dropped > 0 && !before && `${count(dropped, "earlier message")} not shown.`,
    lifelines.size > MAX_LIFELINES && `${number(lifelines.size - MAX_LIFELINES + 1)} participants share the last line.`,
    last.withheld && `Not for the role ${config.value.role}: ${last.withheld.join(", ")}.`,
    query.before && html`These are earlier messages. <a href=${link(path, { ...others, before: "" })}>To the newest</a>`,
    before && html`<a id="earlier" href=${link(path, { ...others, before })}>Earlier messages</a>`,
  ];
  return html`<p class="counters" id="notes">${notes.filter(Boolean).map((each) => html`<span>${each}</span>`)}</p>`;
}

/** Whatever could mean something to Mermaid is written as the number of its character. */
const quoted = (text) => line(text, 60).replace(/[^\p{L}\p{N} .,!?()'_/-]/gu, (mark) => `#${mark.codePointAt(0)};`);

function mermaid(items, lifelines) {
  const participants = [...lifelines].map(([each, i]) => `  participant p${i} as ${quoted(label(each))}`);
  const arrow = (from, to, says) =>
    `  p${lifelines.get(from)}${isForAll(to) ? "--)" : "->>"}p${lifelines.get(to)}: ${quoted(says)}`;
  const messages = items.flatMap(({ message, channels, says }) =>
    [...channels].map((each) => arrow(message.sender_id, target(each), says)),
  );
  return ["sequenceDiagram", ...participants, ...messages, ""].join("\n");
}
