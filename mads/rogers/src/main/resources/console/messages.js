/** The screen Messages: what is said, live, filtered and stopped; one message whole beside it. */
import { useEffect, useLayoutEffect, useRef, useState } from "./vendor/hooks.js";
import { PAUSE_MS, RETRY_MS, WAIT_MS, call, config, sleep, useLoop } from "./api.js";
import { Age, Copyable, count, fact, html, line, link, number, replace, useKeys, utc } from "./parts.js";
import { Leaf, Tree, says } from "./payload.js";
import { useAnswer } from "./result.js";
import { openSend } from "./send.js";

export const path = "messages";
export const title = "Messages";

const MAX_ROWS = 200;
const TYPING_MS = 120;

/**
 * What Rogers told of one view: the newest messages, and how many there were in all. While it is
 * held still, what comes is only counted; afterwards it is asked for from where it was held.
 */
class Tail {
  items = [];
  shown = 0;
  skipped = 0;
  unread = 0;
  waiting = 0;
  /** The last answer that was shown; none before the first. */
  last = {};
  counted = undefined;

  add(answer) {
    const { messages, skipped, unread = 0, next } = answer;
    const isBroken = this.last.next !== undefined && skipped === undefined;
    const cut = skipped > 0 || unread > 0 || isBroken ? [{ key: `cut ${next}`, skipped, unread, isBroken }] : [];
    this.items = [...this.items, ...cut, ...messages.map(item)].slice(-MAX_ROWS);
    this.shown += messages.length;
    this.skipped += skipped ?? 0;
    this.unread += unread;
    this.last = answer;
    this.waiting = 0;
    this.counted = undefined;
  }

  count({ messages, skipped, unread = 0, next }) {
    this.waiting += messages.length + (skipped ?? 0) + unread;
    this.counted = next;
  }
}

/** The texts of a row are made once: messages are drawn again and again. */
export function item(message) {
  const key = `${message.number} ${message.at}`;
  const id = message.message_id ?? String(message.number);
  return { key, id, message, time: utc(message.at).slice(11, 23), says: says(message) };
}

/**
 * The newest are at the bottom, as in every tail: one reads down, and what is there stays where it
 * is. The list follows while its end is in sight, and is held still while one reads further up.
 */
export function View({ query }) {
  const [isPaused, setPaused] = useState(false);
  const [isAbove, setAbove] = useState(false);
  const isHeld = isPaused || isAbove;
  const { tail, refusal } = useTail(query, isHeld);
  const follow = () => (setPaused(false), setAbove(false));
  const toggle = () => (isHeld ? follow() : setPaused(true));
  const change = (values) => replace(link(path, { ...query, ...values }));
  useRowKeys(tail.items, query.message, change, {
    "/": ["to the filter", () => document.getElementById("filter-text").focus()],
    p: ["pauses, and goes on", toggle],
  });
  const isOpen = query.message !== undefined;
  return html`<h1 tabindex="-1" class="unseen">Messages</h1>
    <${Filter} ...${{ query, change }} />
    <${Counters} ...${{ tail, isHeld, toggle }} />
    ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
    <div class=${isOpen ? "split" : ""}>
      <${List} ...${{ tail, query, isHeld, setAbove, follow }} />
      ${isOpen && html`<${Opened} key=${query.message} ...${{ tail, id: query.message, change }} />`}
    </div>`;
}

/** Asks for what matches the query, and goes on asking; another query begins another tail. */
function useTail(query, isHeld) {
  const filter = filterOf(query);
  const view = JSON.stringify(filter);
  const state = useRef({});
  if (state.current.view !== view) state.current = { view, tail: new Tail(), refusal: null };
  const ask = async (stop) => {
    const current = state.current;
    const { last, counted = last.next } = current.tail;
    const isCounted = isHeld && last.next !== undefined;
    if (!last.next) await sleep(TYPING_MS, stop);
    const window = isCounted ? { after: counted, limit: 1 } : { after: last.next, limit: MAX_ROWS };
    const input = { ...filter, ...window, wait_ms: last.next ? WAIT_MS : 0 };
    const answer = stop.aborted ? {} : await call("rogers", "rogers_recent", input, stop);
    if (stop.aborted) return 0;
    const isRefused = answer.status !== "success";
    current.refusal = isRefused ? answer.message : null;
    if (!isRefused) isCounted ? current.tail.count(answer) : current.tail.add(answer);
    return isRefused ? RETRY_MS : PAUSE_MS;
  };
  useLoop(ask, [view, isHeld]);
  return state.current;
}

/** The view's query as input of rogers_recent. A part of a channel's name is enough. */
function filterOf({ channel, sender, text, conversation, correlation, housekeeping }) {
  const glob = channel && (channel.startsWith("mad.") ? channel : `mad.*${channel}*`);
  const all = { sender_id: sender, text, conversation_id: conversation, correlation_id: correlation };
  const given = Object.entries({ ...all, channels: glob && [glob], housekeeping: housekeeping && true });
  return Object.fromEntries(given.filter(([, value]) => value));
}

export const rowOf = (id) => document.querySelector(`[data-id="${CSS.escape(id ?? "")}"]`);

/** The keys of a list of messages whose rows have data-id. */
export function useRowKeys(items, open, change, more) {
  const move = (step) => {
    const messages = items.filter((each) => each.message);
    const at = messages.findIndex(({ id }) => id === (open ?? document.activeElement.dataset.id));
    const target = at < 0 ? messages.at(-1) : messages[at + step];
    const row = target && rowOf(target.id);
    row?.scrollIntoView({ block: "nearest" });
    if (target && open) change({ message: target.id });
    else row?.focus();
  };
  const leave = () => {
    if (!open) return document.activeElement.blur();
    change({ message: undefined });
    return rowOf(open)?.focus();
  };
  useKeys({
    ...more,
    j: ["next message", () => move(1)],
    k: ["message before", () => move(-1)],
    Enter: ["opens the message"],
    Escape: ["closes the message, or leaves a field", leave],
  });
}

function Filter({ query, change }) {
  const field = (id, label, placeholder) => html`<label>
    ${label}
    <input
      ...${{ id: `filter-${id}`, type: "search", autocomplete: "off", spellcheck: false, placeholder }}
      value=${query[id] ?? ""} onInput=${(event) => change({ [id]: event.currentTarget.value })}
    />
  </label>`;
  const only = (id) => query[id] && html`<button type="button" onClick=${() => change({ [id]: "" })}>
    ${id} <code>${line(query[id], 8)}</code> <span aria-label="remove">×</span>
  </button>`;
  return html`<form class="filter" role="search" onSubmit=${(event) => event.preventDefault()}>
    ${field("channel", "Channel", "mad.topic.*")} ${field("sender", "Sender", "anybody")}
    ${field("text", "Text", "in the payload")}
    <label class="check" title="What services say to each other, and streams">
      <input type="checkbox" checked=${Boolean(query.housekeeping)} onChange=${(event) => change({ housekeeping: event.currentTarget.checked ? 1 : "" })} />
      housekeeping
    </label>
    ${only("conversation")} ${only("correlation")}
  </form>`;
}

function Counters({ tail, isHeld, toggle }) {
  const { shown, skipped, unread, waiting, last: { withheld = [], caveats = [] } } = tail;
  const says = (value, word) => html`<span><b>${number(value)}</b> ${word}</span>`;
  return html`<div class="counters" id="counters" data-shown=${shown} data-skipped=${skipped} data-unread=${unread} data-waiting=${waiting}>
    <button type="button" id="pause" aria-pressed=${isHeld} onClick=${toggle}>${isHeld ? "▶ Go on" : "❚❚ Pause"}</button>
    ${says(shown, "shown")} ${says(skipped, "not shown")} ${unread > 0 && says(unread, "not looked at")}
    ${says(shown + skipped + unread + waiting, "in all")}
    ${withheld.length > 0 && html`<span>not for the role ${config.value.role}: ${withheld.join(", ")}</span>`}
    ${caveats.map((each) => html`<span>${each}</span>`)}
  </div>`;
}

function List({ tail, query, isHeld, setAbove, follow }) {
  const list = useRef();
  useLayoutEffect(() => {
    if (!isHeld) list.current.scrollTop = list.current.scrollHeight;
  });
  const onScroll = () => {
    const { scrollHeight, scrollTop, clientHeight } = list.current;
    setAbove(scrollHeight - scrollTop - clientHeight > 30);
  };
  const row = (each) => {
    if (!each.message) return html`<li class="gap" key=${each.key}>${gapSays(each)}</li>`;
    return html`<${Row} key=${each.key} of=${each} query=${query} isLast=${each === tail.items.at(-1)} />`;
  };
  return html`<div class="frame">
    <ol class="tail" ref=${list} onScroll=${onScroll} aria-label="Messages, the newest last">
      ${tail.items.length === 0 && html`<li class="gap">${emptySays(tail.last)}</li>`}
      ${tail.items.map(row)}
    </ol>
    ${isHeld && html`<button type="button" id="new" onClick=${follow}>${number(tail.waiting)} new ↓</button>`}
  </div>`;
}

function emptySays({ next, oldest_at }) {
  const since = oldest_at ? ` since ${utc(oldest_at).slice(11, 19)}Z` : "";
  const says = next ? `Nothing matches${since}; what comes appears here.` : "Asking Rogers…";
  return html`<span class="dim">${says}</span>`;
}

function gapSays({ skipped, unread, isBroken }) {
  if (isBroken) return "Rogers began anew; what was said meanwhile isn't known";
  return `${number(skipped ?? 0)} not shown${unread > 0 ? `, ${number(unread)} not looked at` : ""}`;
}

/** Tab stops at one row alone; j and k go from one to another. */
function Row({ of: { id, message, time, says }, query, isLast }) {
  const isOpen = id === query.message;
  return html`<li>
    <a
      class="row" href=${link(path, { ...query, message: id })} data-id=${id}
      tabindex=${isOpen || isLast ? 0 : -1} aria-current=${isOpen ? "true" : undefined}
    >
      <time datetime=${message.at} title=${message.at}>${time}</time>
      <b>${line(message.sender_id ?? "?", 130)}</b>
      <span class="dim"><span aria-hidden="true">→ </span>${line(message.channel, 200)}</span>
      <span class="says">${message.malformed && html`<b class="refusal">▲ malformed </b>`}${says}</span>
    </a>
  </li>`;
}

export function Opened({ tail, id, change }) {
  const found = useRef(null);
  const heading = useRef();
  const [missing, setMissing] = useState("Looking for it…");
  // It stays although the tail goes on without it.
  found.current ??= tail.items.find((each) => each.id === id)?.message;
  useEffect(() => heading.current.focus({ preventScroll: true }), []);
  const look = async (stop) => {
    if (!found.current && tail.last.next) {
      found.current = await trace(id, stop);
      setMissing("It isn't among the latest that match, nor does Dewey have it.");
    }
    return RETRY_MS;
  };
  useLoop(look, [tail]);
  const message = found.current;
  return html`<aside class="opened" aria-labelledby="opened">
    <h2 id="opened" tabindex="-1" ref=${heading}>Message</h2>
    <button type="button" class="quiet" id="close" onClick=${() => change({ message: undefined })}>Close</button>
    ${message ? html`<${Message} message=${message} />` : html`<p class="dim">${missing}</p>`}
  </aside>`;
}

/** A message that isn't among the latest: Dewey may keep it. */
async function trace(id, stop) {
  if (!config.value.services.includes("dewey")) return null;
  const { message } = await call("dewey", "dewey_trace", { message_id: id }, stop);
  return message?.envelope ? { ...message.envelope, at: message.heard_at } : null;
}

export function Message({ message }) {
  const { at, sender_id, recipient_id, channel, payload, text = "", malformed, cut, bytes } = message;
  const to = (values, value) => value && html`<a href=${link(path, values)}>${line(value, 200)}</a>`;
  const { message_id, conversation_id, correlation_id } = message;
  const id = (value, shown) => value && html`<${Copyable} text=${value} what="it">${shown}<//>`;
  const drawn = (values, value) => id(value, html`<a href=${link("conversation", values)}>${value}</a>`);
  const reply = () => openSend({ to: sender_id, conversation_id, correlation_id });
  const json = payload ? JSON.stringify(payload, null, 2) : text;
  return html`<dl>
      ${fact("At", html`${utc(at)} <${Age} at=${at} />`)}
      ${fact("From", to({ sender: sender_id }, sender_id) ?? "unknown")}
      ${fact("On", to({ channel }, channel))} ${fact("To", recipient_id)}
      ${fact("Malformed", malformed && line(malformed, 2000))}
      ${fact("Conversation", drawn({ id: conversation_id }, conversation_id))}
      ${fact("Correlation", drawn({ correlation: correlation_id }, correlation_id))}
      ${fact("Message", id(message_id, message_id))}
      ${fact("Size", bytes && `${count(bytes, "byte")}${cut ? "; only its beginning is shown" : ""}`)}
    </dl>
    ${sender_id && html`<button type="button" id="reply" onClick=${reply}>Reply</button>`}
    <${Copyable} text=${json} what="the payload"><h3>${payload ? "Payload" : "Text"}</h3><//>
    ${payload ? html`<${Tree} value=${payload} />` : html`<div class="tree"><${Leaf} value=${text} /></div>`}
    ${message_id && config.value.services.includes("dewey") && html`<${Became} id=${message_id} />`}`;
}

function Became({ id }) {
  const { steps = [], next, message } = useAnswer("dewey", "trace", { message_id: id }) ?? {};
  const step = ({ state, at, by, evidence }) => html`<li>${state} <${Age} at=${at} /> <span class="dim">${line(evidence)}, says ${line(by)}</span></li>`;
  return html`<h3>What became of it</h3><ol>${steps.map(step)}</ol><p>${line(next ?? message ?? "")}</p>`;
}
