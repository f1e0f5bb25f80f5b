/** The screen Now: who is there and why, what flows, what is wrong and what to do. */
import { useEffect, useState } from "./vendor/hooks.js";
import { signal } from "./vendor/signals.js";
import { call, config, now, unavailable, useLoop } from "./api.js";
import { Age, More, State, count, html, line, link, number } from "./parts.js";

export const path = "";
export const name = "now";
export const title = "Now";

const PAUSE_MS = 2000;
const MAX_PROBLEMS = 200;
/** Of more healthy participants there are names alone. */
const MAX_ROWS = 12;
const MAX_NAMES = 60;
const SPARK_MS = 300_000;
const UNENDED = ["STREAMING", "RUNNING", "PENDING"];

/** The latest answers; they outlive a visit to another screen, so that it isn't empty again. */
const seen = signal({});
const rates = [];

const keep = (part, answer) => (seen.value = { ...seen.value, [part]: answer });

async function askRogers(stop) {
  const ask = (name, more) => call("rogers", "rogers_query", { name, ...more }, stop);
  keep("connections", await call("rogers", "rogers_get_connections", {}, stop));
  keep("problems", await ask("problems", { arguments: { limit: MAX_PROBLEMS } }));
  keep("rate", await ask("rate"));
  noteRate(seen.value.rate.rows?.[0]);
  keep("unread", await ask("unread"));
  keep("losses", await ask("losses"));
  return PAUSE_MS;
}

/** Beside the others: Fiedler may take his time. */
async function askFiedler(stop) {
  const all = { status: "success", rows: [], more: [] };
  for (const status of UNENDED) {
    const answer = await call("fiedler", "fiedler_list_tasks", { status, limit: 20 }, stop);
    if (answer.status !== "success") Object.assign(all, answer);
    all.rows.push(...(answer.tasks ?? []));
    if (answer.before) all.more.push(status.toLowerCase());
  }
  keep("tasks", all);
  return PAUSE_MS;
}

export function View() {
  useLoop(askRogers, []);
  const { connections, problems, rate, tasks, unread, losses } = seen.value;
  const wrong = [...unreachable(), ...merged(problems?.rows ?? [])];
  return html`<${Headline} ...${{ wrong, connections, problems, rate }} />
    <${Problems} rows=${wrong} />
    <div class="columns">
      <${Participants} answer=${connections} />
      <div>
        <${Traffic} answer=${rate} />
        ${config.value.services.includes("fiedler") && html`<${Tasks} answer=${tasks} />`}
        <${Unread} answer=${unread} />
        <${Losses} answer=${losses} />
      </div>
    </div>`;
}

/** Each kind of problem: what it is, with a number in braces, and what to do. */
const KINDS = new Map(Object.entries({
  silent: ["has fallen silent", "Look whether it still runs; it is healthy again when it beats."],
  dead_letter: ["has {malformed message}", "See how they begin, then mend who sends them."],
  unheard: ["has {message} that nobody received", "Is the name right? Somebody has to subscribe."],
  lost_away: ["was away: {message} lost", "Run Dewey, who keeps mail for who is away."],
  missed: ["missed {message}", "Its next poll says so. On overflow: it should poll more, or follow less."],
  storm: ["sends far more than usual", "See what it says; ./joshua drop NAME ends its queue."],
  loop: ["answer each other", "Tell one that answers need none; ./joshua drop NAME ends a queue."],
  not_seen: ["didn't watch for a while", "Nothing was counted meanwhile; the log says more."],
  model_refuses: ["has a model that refuses", "./joshua doctor asks each model's server."],
  tasks_fail: ["has tasks that fail", "./joshua tasks --status FAILED says which, and why."],
  unavailable: ["can't be reached", "Is it running? ./joshua status says how it is."],
}));

function unreachable() {
  const away = Object.entries(unavailable.value).filter(([, detail]) => detail);
  return away.map(([subject, detail]) => ({ what: "unavailable", subject, detail }));
}

/** Rogers tells the same again when it happens again; here it is one, with the sum. */
function merged(rows) {
  const things = new Map();
  for (const row of rows) {
    const key = [row.what, row.subject, row.detail].join();
    const newer = things.get(key);
    things.set(key, newer ? { ...newer, messages: newer.messages + row.messages } : row);
  }
  return [...things.values()];
}

function Headline({ wrong, connections, problems, rate }) {
  const isKnown = problems?.status === "success" && connections?.status === "success";
  const some = problems?.rows?.length >= MAX_PROBLEMS ? "At least " : "";
  const things = `${some}${count(wrong.length, "thing")} ${wrong.length === 1 ? "is" : "are"} wrong`;
  const state = wrong.length === 0 ? "All is well" : things;
  const there = connections?.connections?.filter((each) => each.status !== "DISCONNECTED") ?? [];
  const participants = count(there.length + (connections?.left_out ?? 0), "participant");
  const flow = rate?.rows?.[0] ? `, ${number(rate.rows[0].per_second)} messages/s` : "";
  useEffect(() => {
    if (isKnown) document.title = `Joshua: ${state.toLowerCase()}`;
  });
  return html`<h1 tabindex="-1" class=${wrong.length ? "wrong" : "well"}>
      ${isKnown ? `${state}${wrong.length ? ";" : ":"} ${participants}${flow}.` : "Asking Rogers…"}
    </h1>
    <p class="dim">${["Problems are those of the last hour.", ...(problems?.caveats ?? [])].join(" ")}</p>`;
}

function Problems({ rows }) {
  const [shown, more] = useSome(rows, 5);
  return html`<div class="problems" aria-live="polite">
    <ul>${shown.map((each) => html`<${Problem} row=${each} />`)}</ul> ${more}
  </div>`;
}

function Problem({ row: { what, subject, messages, detail, last_at } }) {
  const [says, advice] = KINDS.get(what) ?? [what.replaceAll("_", " "), "./joshua doctor says more."];
  const sentence = says.replace(/\{(.+)\}/, (_, word) => count(messages ?? 0, word));
  const view = subject.startsWith("mad.") ? { channel: subject } : { sender: subject.split(",")[0] };
  return html`<li>
    <p><span class="sign" aria-hidden="true">▲</span> <b>${line(subject)}</b> ${sentence}</p>
    <${Age} at=${last_at} />
    <p class="detail">
      <span class="dim">${line(detail).replace(/\.?$/, ".")}</span> ${advice}${" "}
      ${what !== "unavailable" && html`<a href=${link("messages", view)}>Messages</a>`}
    </p>
  </li>`;
}

const BY_URGENCY = ["STALE", "DISCONNECTED", "CONNECTED"];
function Participants({ answer }) {
  const all = answer?.connections ?? [];
  const healthy = all.filter((each) => each.status === "HEALTHY");
  const gone = all.filter((each) => each.status === "DISCONNECTED" && each.cause !== "silent");
  const others = all
    .filter((each) => !healthy.includes(each) && !gone.includes(each))
    .sort((a, b) => BY_URGENCY.indexOf(a.status) - BY_URGENCY.indexOf(b.status));
  const areMany = healthy.length > MAX_ROWS;
  return html`<${Part} title="Participants" answer=${answer} leftOut=${answer?.left_out}>
    ${all.length === 0 && html`<p class="dim">Nobody was ever heard.</p>`}
    <${Rows} rows=${others.map(participant)} />
    <${areMany ? Names : Rows} rows=${areMany ? healthy : healthy.map(participant)} />
    ${gone.length > 0 &&
    html`<details><summary>${number(gone.length)} left or away</summary>
      <${Rows} rows=${gone.map(participant)} /></details>`}
  <//>`;
}

function participant({ mad_id, status, cause, why, since_at }) {
  const state = html`<${State} of=${cause === "away" ? "AWAY" : status} />`;
  const says = line(why).replace(/^\w+: /, ""); // the state is there already
  return { id: mad_id, state, name: mad_id, view: { sender: mad_id }, says, at: since_at };
}

/** Many healthy ones: a name says enough, and why where one points. */
function Names({ rows }) {
  const [shown, more] = useSome(rows, MAX_NAMES);
  const to = (mad_id) => link("messages", { sender: mad_id });
  const name = ({ mad_id, why }) =>
    html`<li key=${mad_id}><a href=${to(mad_id)} title=${`${mad_id}: ${line(why)}`}>${mad_id}</a></li>`;
  return html`<h3><${State} of="HEALTHY" /> <b>${number(rows.length)}</b></h3>
    <ul class="names">${shown.map(name)}</ul> ${more}`;
}

function noteRate(row) {
  if (row) rates.push({ at: now.value, value: row.per_second });
  while (rates.length && rates[0].at < now.value - SPARK_MS) rates.shift();
}

function Traffic({ answer }) {
  const { per_second, this_hour, hour_before } = answer?.rows?.[0] ?? {};
  return html`<${Part} title="Messages" answer=${answer}>
    <div class="traffic"><p class="dim"><b>${number(per_second)}</b> a second</p><${Spark} /></div>
    <p class="dim">
      ${number(this_hour)} in this hour, ${number(hour_before)} in the one before.${" "}
      <a href=${link("messages")}>Watch them</a>
    </p>
  <//>`;
}

/** The rates of the last five minutes by their times: while nobody looked there is no line. */
function Spark() {
  const top = Math.max(1, ...rates.map((each) => each.value));
  const points = rates.map(({ at, value }, i) => {
    const isGap = i === 0 || at - rates[i - 1].at > 5 * PAUSE_MS;
    const x = 300 - ((now.value - at) / SPARK_MS) * 300;
    return `${isGap ? "M" : "L"}${x.toFixed(1)} ${(38 - (value / top) * 36).toFixed(1)}`;
  });
  const label = `Messages a second in the last five minutes, at most ${number(top)}`;
  return html`<svg viewBox="0 0 300 40" preserveAspectRatio="none" role="img" aria-label=${label}>
    <path class="base" d="M0 39H300" /> <path d=${points.join("")} />
  </svg>`;
}

function Tasks({ answer }) {
  useLoop(askFiedler, []);
  const rows = (answer?.rows ?? []).map(({ task_id, status, requester_id, prompt, created_at }) => ({
    ...{ id: task_id, state: html`<span class="state">${status.toLowerCase()}</span>` },
    ...{ name: requester_id, to: link("task", { service: "fiedler", id: task_id }) },
    ...{ says: line(prompt), at: created_at },
  }));
  return html`<${Part} title="Tasks" answer=${answer}>
    ${rows.length === 0 && html`<p class="dim">Nothing waits and nothing runs.</p>`}
    <${Rows} rows=${rows} />
    ${answer?.more?.length > 0 && html`<p class="dim">More are ${answer.more.join(" and ")}.</p>`}
  <//>`;
}

function Unread({ answer }) {
  const rows = (answer?.rows ?? []).map(({ client, waiting, relay, told_at }) => ({
    ...{ id: client + relay, name: client, view: { channel: `mad.direct.${client}` }, at: told_at },
    says: `${number(waiting)} at ${relay}`,
  }));
  return html`<${Part} title="Waiting unread" answer=${answer}>
    ${rows.length === 0 && html`<p class="dim">Nothing waits unread.</p>`}
    <${Rows} rows=${rows} />
  <//>`;
}

function Losses({ answer }) {
  const rows = merged(answer?.rows ?? []).map(({ what, subject, messages, detail, last_at }) => ({
    ...{ id: what + subject + detail, name: subject, at: last_at },
    view: subject.startsWith("mad.") ? { channel: subject } : { sender: subject },
    says: `${what.replaceAll("_", " ")}${messages > 0 ? ` ${number(messages)}` : ""}: ${line(detail)}`,
  }));
  return html`<${Part} title="Losses" answer=${answer}>
    <p class="dim">${answer?.sentence}</p>
    <${Rows} rows=${rows} />
  <//>`;
}

/** Rows alike: a state, a name that leads to messages, what is said of it, and when. */
export function Rows({ rows }) {
  const [shown, more] = useSome(rows, rows[0]?.state ? MAX_ROWS : 6);
  const row = ({ id, state, name, view, to, says, at }) => html`<li key=${id}>
    ${state}
    <a href=${to ?? link("messages", view)} title=${line(name)}>${line(name)}</a>
    <span class="says" title=${says}>${says}</span>
    <${Age} at=${at} />
  </li>`;
  return html`<ul class="rows">${shown.map(row)}</ul> ${more}`;
}

/** The first ones of a list, and a button that says how many it leaves out and shows them. */
export function useSome(rows, most) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || rows.length <= most) return [rows, null];
  const more = html`<${More} rest=${rows.length - most} onClick=${() => setWhole(true)} />`;
  return [rows.slice(0, most), more];
}

/** A part of the screen: its title, what was refused, and how many its answer left out. */
export function Part({ title, answer, leftOut, children }) {
  return html`<section aria-label=${title}>
    <h2>${title}</h2>
    ${answer?.status === "success" ? children : html`<p class="refusal">${answer?.message}</p>`}
    ${leftOut > 0 && html`<p class="dim">${number(leftOut)} more aren't shown.</p>`}
  </section>`;
}
