/** The screen Inbox, for people: who may wait for an answer, what waits, threads. It only looks. */
import { useRef, useState } from "./vendor/hooks.js";
import { A_DAY_MS, RETRY_MS, WAIT_MS, act, call, config, useLoop } from "./api.js";
import { Age, count, html, line, link, number } from "./parts.js";
import { Part, Rows, mailRow } from "./now.js";
import { Opened, item } from "./messages.js";
import { Leaf, Tree } from "./payload.js";
import { Names } from "./result.js";
import { target } from "./sequence.js";

export const path = "inbox";
export const title = "Inbox";

const MAX_ROWS = 100;
const MAX_BYTES = 500_000;
/** Where a message isn't among those of a tail, Dewey is asked for it. */
const NO_TAIL = { items: [], last: { next: "none" } };

export function View({ query }) {
  const self = query.as || config.value.identity || undefined;
  const { thread, message, from } = query;
  const isKept = config.value.services.includes("dewey");
  const close = () => (location.hash = link(path, { as: query.as }));
  if (isKept && thread) return html`<${Thread} key=${String([self, thread, from])} ...${{ self, query }} />`;
  if (isKept && !message) return html`<${Overview} key=${self} ...${{ self, query }} />`;
  return html`<h1 tabindex="-1">Inbox</h1>
    ${isKept && html`<${Opened} key=${message} tail=${NO_TAIL} id=${message} change=${close} />`}
    ${!isKept && html`<p>Dewey, who keeps mail and threads, isn't run here.</p>`}`;
}

/** Nobody's mail is collected here, and nothing acknowledged. */
function Overview({ self, query }) {
  const answers = useRef({}).current;
  const ask = async (stop) => {
    const most = { limit: MAX_ROWS };
    const look = async (part, input) => (answers[part] = await call("dewey", `dewey_${part}`, input, stop));
    if (self) await look("mail", { client_id: self, max_bytes: MAX_BYTES, ...most });
    if (self) await look("history", { participant: self, max_bytes: MAX_BYTES, ...most });
    await look("threads", { client_id: self, ...most });
    answers.wakes = await look("query", { name: "wakes", arguments: most });
    answers.all = await look("query", { name: "mail", arguments: most });
    return RETRY_MS;
  };
  useLoop(ask, []);
  const { mail, history, threads, all, wakes } = answers;
  const to = (values) => link(path, { as: query.as, ...values });
  const message = (each) => messageRow(each, self, to);
  const direct = history?.messages?.filter(({ envelope }) => envelope.channel.startsWith("mad.direct."));
  return html`<h1 tabindex="-1">${self ? headline(self, answers) : line(all?.sentence ?? "Inbox")}</h1>
    <p class="dim">${details(answers)}</p>
    ${(!config.value.identity || config.value.role === "admin") && html`<${Whose} self=${self} />`}
    <div class="columns">
      <div>
        ${self && html`<${List} title="Not collected" answer=${mail} rows=${mail?.messages?.map(message)} leftOut=${mail?.remaining} />`}
        <${List} title="Threads" answer=${threads} rows=${threads?.threads?.map((each) => threadRow(each, to))} />
        ${self && html`<${List} title="Direct messages of late" answer=${history} rows=${direct?.map(message)} isCut=${history?.before} />`}
      </div>
      <div>
        <${List} title="For whom mail waits" answer=${all} rows=${all?.rows?.map(mailRow)} />
        <${List} title="Wakes" answer=${wakes} rows=${wakes?.rows?.map(wakeRow)} />
      </div>
    </div>`;
}

/** Whether a message asks for something isn't known; who had the last word is. */
function headline(self, { mail, history }) {
  if (!mail?.messages || !history?.messages) return `Inbox of ${line(self)}`;
  const names = [...lastWords(self, history.messages)].filter(([, isOwn]) => !isOwn).map(([each]) => each);
  if (names.length === 0) return `Nobody is known to wait for an answer from ${line(self)}.`;
  return `${count(names.length, "participant")} may wait for an answer from ${line(self)}: ${line(names.join(", "), 200)}.`;
}

/** With whom one spoke directly, and whether the last word was one's own. */
function lastWords(self, messages) {
  const words = new Map();
  for (const { envelope: { sender_id, channel, payload } } of messages) {
    const isOwn = sender_id === self;
    const other = isOwn ? target(channel) : sender_id;
    const isAnswer = "status" in payload || "notification_type" in payload; // which needs none
    const isAside = !channel.startsWith("mad.direct.") || "thread" in payload || other === self || config.value.services.includes(other);
    if (!isAside && !words.has(other) && (isOwn || !isAnswer)) words.set(other, isOwn);
  }
  return words;
}

function details({ history, mail, threads }) {
  const unread = threads?.threads?.filter((each) => each.unread > 0).length;
  const says = [
    history?.messages && `Told by who had the last word, in ${count(history.messages.length, "message")} of late.`,
    mail?.messages && `Not collected: ${count(mail.messages.length + mail.remaining, "message")}.`,
    mail?.expired > 0 && `Gone before they were collected: ${number(mail.expired)}.`,
    unread > 0 && `${count(unread, "thread")} with posts not acknowledged.`,
    ...(history?.caveats ?? []),
  ];
  return says.filter(Boolean).join(" ");
}

function Whose({ self }) {
  const choose = (event) => (location.hash = link(path, { as: event.currentTarget.value.trim() }));
  const field = { list: "names", placeholder: "a name", autocomplete: "off", spellcheck: false, maxlength: 128 };
  return html`<p class="filter"><label>Whose <input id="as" ...${field} defaultValue=${self ?? ""} onChange=${choose} /></label></p>
    <${Names} id="names" />`;
}

/** The rows of an answer, what it says of them, and whether there are more. */
export function List({ title, answer, rows = [], leftOut, isCut = rows.length === MAX_ROWS && !leftOut, children }) {
  return html`<${Part} ...${{ title, answer, leftOut }}>
    <p class="dim">${answer?.sentence ?? (rows.length === 0 && "None.")}</p>
    <${Rows} rows=${rows} />
    ${isCut && html`<p class="dim">There are more, which aren't shown.</p>`} ${children}
  <//>`;
}

const state = (word) => html`<span class="state">${word}</span>`;

function messageRow({ envelope, heard_at, state: mail }, self, to) {
  const { id, message, says } = item({ ...envelope, at: heard_at });
  const isOwn = message.sender_id === self;
  const other = isOwn ? target(message.channel) : message.sender_id;
  const row = { id: id + message.channel, state: state(isOwn ? "to" : "from"), name: other, at: heard_at };
  const isPost = message.payload.thread?.id === message.conversation_id;
  const view = isPost ? { thread: message.conversation_id } : { message: id };
  return { ...row, to: to(view), says: `${mail ? `${mail}: ` : ""}${says}` };
}

function threadRow({ thread_id, title, status, members, updated_at, last_seq, unread }, to) {
  const says = `${unread > 0 ? `${number(unread)} unread of ` : ""}${count(last_seq, "post")}: ${line(members)}`;
  return { id: thread_id, state: state(status), name: title, to: to({ thread: thread_id }), says, at: updated_at };
}

function wakeRow({ wake_id, participant, state: word, tries, reason, created_at, ended_at }) {
  const says = `${tries === 1 ? "1 try" : `${number(tries)} tries`}${reason ? `, ${line(reason)}` : ""}`;
  return { id: wake_id, state: state(word), name: participant, to: link(path, { as: participant }), says, at: ended_at ?? created_at };
}

function Thread({ self, query }) {
  const { thread, members = [], posts, from, remaining, refusal } = useThread(self, query);
  const { identity, role } = config.value;
  const isSelf = !identity || self === identity;
  const mayPost = isSelf && members.some((each) => each.name === self) && thread.status !== "closed" && role !== "viewer";
  const stands = ({ name, coordinator, unread }) => `${line(name)} (${coordinator ? "coordinator, " : ""}${number(unread)} unread)`;
  const to = (values) => link(path, { ...query, ...values });
  return html`<h1 tabindex="-1">${thread ? line(thread.title) : "Thread"}</h1>
    <p><a href=${link(path, { as: query.as })}>Inbox</a>${" "}${thread && html`<a href=${link("conversation", { id: thread.thread_id })}>Drawn</a>`}</p>
    ${refusal && html`<p class="refusal" role="alert">${line(refusal)}</p>`}
    ${thread && html`<p class="dim">${thread.status}, ${count(thread.last_seq, "post")}; ${members.map(stands).join(", ")}</p>`}
    ${from > 0 && html`<p><a href=${to({ from: Math.max(0, from - MAX_ROWS) })}>${count(from, "earlier post")}</a></p>`}
    <ol class="posts" aria-live="polite">${posts.map((each) => html`<${Post} key=${each.seq} of=${each} />`)}</ol>
    ${remaining > 0 && html`<p><a href=${to({ from: posts.at(-1)?.seq })}>${count(remaining, "later post")}</a></p>`}
    ${mayPost && html`<${Reply} ...${{ self, thread }} />`}
    ${thread && !mayPost && html`<p class="dim">To post takes a member, the role operator, and a thread that isn't closed.</p>`}`;
}

/** The posts of a thread, a page at a time; on the last one also what comes. */
function useThread(self = "human", { thread, from }) {
  const held = useRef({ posts: [], from }).current;
  useLoop(async (stop) => {
    const read = (input) => call("dewey", "dewey_read_thread", { client_id: self, thread_id: thread, ...input }, stop);
    held.from ??= Math.max(0, ((await read({ limit: 1 })).thread?.last_seq ?? MAX_ROWS) - MAX_ROWS);
    const after = held.posts.at(-1)?.seq ?? Number(held.from);
    const answer = await read({ after_seq: after, limit: MAX_ROWS, wait_ms: held.remaining === 0 ? WAIT_MS : 0 });
    held.refusal = answer.status === "success" ? null : answer.message;
    if (held.refusal !== null) return RETRY_MS;
    const posts = [...held.posts, ...answer.posts].slice(-2 * MAX_ROWS);
    Object.assign(held, answer, { posts, from: posts.length ? posts[0].seq - 1 : after });
    return held.remaining > 0 && posts.length >= MAX_ROWS ? A_DAY_MS : 0;
  }, []);
  return held;
}

function Post({ of: { seq, sender_id, kind, in_reply_to, posted_at, body } }) {
  const isText = Object.keys(body).length === 1 && typeof body.text === "string";
  const says = `${kind === "chat" ? "" : kind} ${in_reply_to ? `to ${number(in_reply_to)}` : ""}`;
  return html`<li>
    <p><span class="dim">${number(seq)}</span> <b>${line(sender_id)}</b> <span class="dim">${says}</span> <${Age} at=${posted_at} /></p>
    ${isText ? html`<p class="text"><${Leaf} value=${body.text} /></p>` : html`<${Tree} value=${body} />`}
  </li>`;
}

/** The key stays until it is posted: who tries again doesn't post it twice. */
function Reply({ self, thread: { thread_id } }) {
  const key = useRef();
  const [says, setSays] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    const { text } = event.currentTarget.elements;
    key.current ??= `console-${Date.now()}-${Math.random()}`;
    const post = { client_id: self, thread_id, body: { text: text.value }, idempotency_key: key.current };
    const { status, message } = await act("dewey", "dewey_post", post);
    setSays(status === "success" ? "Posted." : line(message, 500));
    if (status === "success") [text.value, key.current] = ["", undefined];
  };
  return html`<form class="question" onSubmit=${submit}>
    <textarea id="text" rows="3" required aria-label="Post" placeholder=${`As ${line(self)}`}></textarea>
    <button type="submit" class="primary">Post</button> <span role="status">${says}</span>
  </form>`;
}
