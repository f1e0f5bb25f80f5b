/** The drawer Send, on every screen: a message as oneself, who gets it, and what is replied. */
import { useEffect, useRef, useState } from "./vendor/hooks.js";
import { signal } from "./vendor/signals.js";
import { PAUSE_MS, RETRY_MS, WAIT_MS, call, config, useLoop } from "./api.js";
import { Age, count, html, line, link, route } from "./parts.js";
import { says } from "./payload.js";
import { Names } from "./result.js";

const MAX_REPLIES = 50;

/** What the drawer begins with: to, conversation_id, correlation_id; null while it is closed. */
const draft = signal(null);
/** What is in its fields: a login meanwhile doesn't lose it. */
let typed = {};
let opener = null;

export function openSend(values = {}) {
  opener = document.activeElement;
  typed = { to: values.to ?? "", message: "" };
  draft.value = values;
}

function close() {
  draft.value = null;
  opener?.focus();
}

const myself = () => config.value.identity ?? route.value.query.as ?? "human";

/** Made here, since the answer to a message doesn't tell it; randomUUID needs a safe origin. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((each) => each.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}

/** A JSON object, or words that become its text: as ./joshua send has it. */
function payloadOf(message) {
  try {
    const value = JSON.parse(message);
    if (value?.constructor === Object) return value;
  } catch {
    // words, then
  }
  return { text: message };
}

export function Send() {
  if (draft.value === null) return null;
  const onKeyDown = (event) => {
    event.stopPropagation(); // the screen's keys are the screen's
    if (event.key === "Escape") close();
  };
  return html`<aside class="drawer" aria-labelledby="send" onKeyDown=${onKeyDown}>
    <h2 id="send">Send as ${line(myself())}</h2>
    <button type="button" class="quiet" id="close-send" onClick=${close}>Close</button>
    ${config.value.role === "viewer"
      ? html`<p>To send takes the role operator, and yours is viewer.</p>`
      : html`<${Form} key=${JSON.stringify(draft.value)} ...${draft.value} />`}
  </aside>`;
}

function Form({ to, conversation_id, correlation_id }) {
  const [sent, setSent] = useState({});
  const form = useRef();
  useEffect(() => form.current.elements[to ? "message" : "to"].focus(), []);
  const submit = async (event) => {
    event.preventDefault();
    if (sent.isUnderWay) return;
    const { to, message } = form.current.elements;
    const channel = to.value.startsWith("mad.") ? to.value.trim() : `mad.direct.${to.value.trim()}`;
    const ids = { conversation_id: conversation_id ?? newId(), correlation_id: correlation_id ?? newId() };
    setSent({ isUnderWay: true });
    const next = await send({ client_id: myself(), channel, payload: payloadOf(message.value), ...ids });
    if (next.answer.status === "success") message.value = typed.message = "";
    setSent(next);
  };
  const isEnter = (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey);
  const recipient = { id: "to", list: "recipients", required: true, autocomplete: "off", spellcheck: false, maxlength: 256 };
  return html`<form ref=${form} onSubmit=${submit} onInput=${({ target }) => (typed[target.id] = target.value)}>
      <label for="to">To</label>
      <input ...${recipient} placeholder="a name, mad.topic.NAME or mad.broadcast" defaultValue=${typed.to} />
      <${Names} id="recipients" />
      <label for="message">${to ? "Reply" : "Message"} <span class="dim">in words, or as a JSON object</span></label>
      <textarea id="message" rows="4" required defaultValue=${typed.message} onKeyDown=${(event) => isEnter(event) && submit(event)}></textarea>
      <button type="submit" class="primary">Send</button> <span class="dim">or Ctrl+Enter</span>
    </form>
    <div role="status">${sent.isUnderWay ? "Sending…" : sent.answer && html`<${Sent} ...${sent} />`}</div>
    ${sent.answer?.status === "success" && html`<${Replies} key=${sent.answer.message_id} ...${sent} />`}`;
}

/** Sends, and returns with it the place in what Rogers hears after which replies come. */
async function send(input) {
  const channels = [`mad.direct.${input.client_id}`, input.channel];
  try {
    const { next } = await call("rogers", "rogers_recent", { limit: 1 });
    return { input, channels, next, answer: await call("grace", "grace_send_message", input) };
  } catch {
    return { input, answer: { message: "Rogers can't be reached: it isn't known whether it was sent." } };
  }
}

function Sent({ input: { channel }, answer }) {
  const { status, message, note, suggestion, waiting, last_poll_at, relay } = answer;
  if (status !== "success") return html`<p class="refusal">${line(message, 2000)}</p>`;
  return html`<p>Sent to ${line(channel, 200)}: ${audience(answer)}. ${suggestion && `Did you mean ${line(suggestion)}?`}</p>
    ${waiting > 0 && html`<p class="dim">Before it waits: ${count(waiting, "message")}.</p>`}
    ${last_poll_at && html`<p class="dim">It collected last <${Age} at=${last_poll_at} />.</p>`}
    ${relay && html`<p class="dim">Its queue is at ${line(relay)}.</p>`} ${note && html`<p>${line(note, 500)}</p>`}`;
}

/** Who gets a message, in the words of ./joshua send (joshua.grace.verb.MessageText). */
function audience({ addressee, wakes, kept, listening_since, queues, receivers }) {
  if (addressee === "present") return "it listens now";
  if (addressee === "queued") return wakes ? "it sleeps, and is woken" : "it has a queue, and collects it later";
  if (addressee === "kept") return "it doesn't listen now, and gets it when it does";
  if (addressee === "away") return "it doesn't listen now, and won't get it";
  const later = kept ? "; it is kept until somebody has it" : "";
  if (addressee === "unknown") return html`nobody of that name was heard since the relay started, <${Age} at=${listening_since} />${later}`;
  const all = receivers + Math.max(0, queues - 1); // a relay's queues together are one subscription
  return all === 0 ? "nobody receives it" : `${all} receive${all === 1 ? "s" : ""} it`;
}

/** What comes back: of the same conversation, or directly from who was written to. */
function Replies({ input, channels, next, answer }) {
  const state = useRef({ after: next, rows: [], left: 0 });
  const isReply = ({ message_id, conversation_id, correlation_id, channel, sender_id }) =>
    message_id !== answer.message_id &&
    (conversation_id === input.conversation_id || correlation_id === input.correlation_id ||
      (channel === channels[0] && `mad.direct.${sender_id}` === input.channel));
  const step = async (stop) => {
    const { after, rows, left } = state.current;
    const asked = await call("rogers", "rogers_recent", { channels, after, wait_ms: WAIT_MS }, stop);
    if (stop.aborted || asked.status !== "success") return RETRY_MS;
    const all = [...rows, ...asked.messages.filter(isReply)];
    const cut = Math.max(0, all.length - MAX_REPLIES) + (asked.skipped ?? 0) + (asked.unread ?? 0);
    state.current = { after: asked.next, rows: all.slice(-MAX_REPLIES), left: left + cut };
    return PAUSE_MS;
  };
  useLoop(step, []);
  const { rows, left } = state.current;
  const row = (each) => html`<li key=${each.number}>
    <b>${line(each.sender_id ?? "?", 130)}</b> <${Age} at=${each.at} /> ${says(each)}
  </li>`;
  const inbox = html` Dewey keeps what comes later: <a href=${link("inbox", { as: input.client_id })}>Inbox</a>.`;
  return html`<h3>Replies <a href=${link("conversation", { id: input.conversation_id })}>the conversation</a></h3>
    <ul aria-live="polite">${rows.map(row)}</ul>
    ${rows.length === 0 && html`<p class="dim">None yet; they appear here.${config.value.services.includes("dewey") && inbox}</p>`}
    ${left > 0 && html`<p class="dim">Not looked at or not shown: ${count(left, "message")}.</p>`}`;
}
