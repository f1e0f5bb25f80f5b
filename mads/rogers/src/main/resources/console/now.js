/** The screen Now: who is there and why, what flows, what is wrong and what to do. */
import { useEffect } from "./vendor/hooks.js";
import { signal } from "./vendor/signals.js";
import { RETRY_MS, call, config, now, unavailable, useLoop } from "./api.js";
import { Age, State, count, html, line, link, number, useSome } from "./parts.js";
import { advice } from "./task.js";

export const path = "";
export const title = "Now";

const MAX_PROBLEMS = 200;
/** Of more healthy participants there are names alone. */
const MAX_ROWS = 12;
const MAX_NAMES = 60;
const SPARK_MS = 300_000;
const AN_HOUR_MS = 3_600_000;
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
  return RETRY_MS;
}

async function askDewey(stop) {
  keep("mail", await call("dewey", "dewey_query", { name: "mail", arguments: { limit: MAX_ROWS } }, stop));
  return RETRY_MS;
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
  const failed = { since: new Date(now.value - AN_HOUR_MS).toISOString(), status: "FAILED", by: "error" };
  keep("failed", await call("fiedler", "fiedler_query", { name: "stats", arguments: failed }, stop));
  return RETRY_MS;
}

export function View() {
  useLoop(askRogers, []);
  const { connections, problems, rate, tasks, failed, unread, mail, losses } = seen.value;
  const wrong = [...unreachable(), ...failures(failed?.rows), ...merged(problems?.rows ?? [])].sort(byUrgency);
  return html`<${Headline} ...${{ wrong, connections, problems, rate }} />
    <${Problems} rows=${wrong} />
    <div class="columns">
      <${Participants} answer=${connections} />
      <div>
        <${Traffic} answer=${rate} />
        ${config.value.services.includes("fiedler") && html`<${Tasks} answer=${tasks} />`}
        <${Unread} answer=${unread} />
        ${config.value.services.includes("dewey") && html`<${Mail} answer=${mail} />`}
        <${Losses} answer=${losses} />
      </div>
    </div>`;
}

/** Each kind of problem, the urgent ones first: what it is, with a number in braces, and what to do. */
const KINDS = new Map(Object.entries({
  unavailable: ["can't be reached", "Is it running? ./joshua status says how it is."],
  loop: ["answer each other", "Tell one that answers need none; ./joshua drop NAME ends a queue."],
  storm: ["sends far more than usual", "See what it says; ./joshua drop NAME ends its queue."],
  model_refuses: ["has a model that refuses", "./joshua doctor asks each model's server."],
  tasks_fail: ["has tasks that fail", "They say why."],
  failed: ["has {failed task}", ""],
  missed: ["missed {message}", "Its next poll says so. On overflow: it should poll more, or follow less."],
  lost_away: ["was away: {message} lost", "Run Dewey, who keeps mail for who is away."],
  not_seen: ["didn't watch for a while", "Nothing was counted meanwhile; the log says more."],
  silent: ["has fallen silent", "Look whether it still runs; it is healthy again when it beats."],
  unheard: ["has {message} that nobody received", "Is the name right? Somebody has to subscribe."],
  dead_letter: ["has {malformed message}", "See how they begin, then mend who sends them."],
}));
const URGENCY = [...KINDS.keys()];
const byUrgency = (a, b) => URGENCY.indexOf(a.what) - URGENCY.indexOf(b.what);

function unreachable() {
  const away = Object.entries(unavailable.value).filter(([, detail]) => detail);
  return away.map(([subject, detail]) => ({ what: "unavailable", subject, detail }));
}

/** Why tasks failed, each reason once. */
export const failures = (rows = []) =>
  rows.map(({ name, tasks }) => ({ what: "failed", subject: "fiedler", messages: tasks, detail: name }));

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

export function Problems({ rows }) {
  const [shown, more] = useSome(rows, 5);
  return html`<div class="problems" aria-live="polite">
    <ul>${shown.map((each) => html`<${Problem} row=${each} />`)}</ul> ${more}
  </div>`;
}

function Problem({ row: { what, subject, messages, detail, last_at } }) {
  const [says, help] = KINDS.get(what) ?? [what.replaceAll("_", " "), "./joshua doctor says more."];
  const sentence = says.replace(/\{(.+)\}/, (_, word) => count(messages ?? 0, word));
  const isOfTasks = what === "failed" || what === "tasks_fail";
  const to = isOfTasks ? link("tasks", { service: subject, status: "failed" }) : link("messages", viewOf(subject.split(",")[0]));
  return html`<li>
    <p><span class="sign" aria-hidden="true">▲</span> <b>${line(subject)}</b> ${sentence}</p>
    <${Age} at=${last_at} />
    <p class="detail">
      <span class="dim">${line(detail, 200).replace(/[^.…]$/, "$&.")}</span> ${help || advice(detail)}${" "}
      ${what !== "unavailable" && html`<a href=${to}>${isOfTasks ? "Tasks" : "Messages"}</a>`}
    </p>
  </li>`;
}

const viewOf = (subject) => (subject.startsWith("mad.") ? { channel: subject } : { sender: subject });

function Participants({ answer }) {
  const all = answer?.connections ?? [];
  const healthy = all.filter((each) => each.status === "HEALTHY");
  const gone = all.filter((each) => each.status === "DISCONNECTED" && each.cause !== "silent");
  const of = (status) => all.filter((each) => each.status === status && !gone.includes(each));
  const others = ["STALE", "DISCONNECTED", "CONNECTED"].flatMap(of);
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
  return { id: mad_id, state, name: mad_id, view: { sender: mad_id }, says, at: since_at, isSince: true };
}

/** Many healthy ones: a name says enough, and why where one points. */
function Names({ rows }) {
  const [shown, more] = useSome(rows, MAX_NAMES);
  const to = (mad_id) => link("messages", { sender: mad_id });
  const name = ({ mad_id, why }) => html`<li key=${mad_id}><a href=${to(mad_id)} title=${`${mad_id}: ${line(why)}`}>${mad_id}</a></li>`;
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
    const isGap = i === 0 || at - rates[i - 1].at > 5 * RETRY_MS;
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
    ...{ id: task_id, state: html`<${State} of=${status} />`, name: requester_id, says: line(prompt), at: created_at },
    to: link("task", { service: "fiedler", id: task_id }),
  }));
  return html`<${Part} title="Tasks" answer=${answer}>
    ${rows.length === 0 && html`<p class="dim">Nothing waits and nothing runs.</p>`}
    <${Rows} rows=${rows} />
    ${answer?.more?.length > 0 && html`<p class="dim">More are ${answer.more.join(" and ")}.</p>`}
  <//>`;
}

function Unread({ answer }) {
  const row = ({ client: name, waiting, relay, told_at: at }) => {
    const view = { channel: `mad.direct.${name}` };
    return { id: name + relay, name, view, at, says: `${number(waiting)} at ${relay}` };
  };
  const rows = (answer?.rows ?? []).map(row);
  return html`<${Part} title="Waiting unread" answer=${answer}>
    <p class="dim">${rows.length > 0 ? "A full queue loses its oldest; its client is told when it polls." : "Nothing waits unread."}</p>
    <${Rows} rows=${rows} />
  <//>`;
}

function Mail({ answer }) {
  useLoop(askDewey, []);
  return html`<${Part} title="Kept for who is away" answer=${answer}>
    <p class="dim">${answer?.sentence}</p>
    <${Rows} rows=${(answer?.rows ?? []).map(mailRow)} />
  <//>`;
}

/** For whom Dewey keeps mail. */
export function mailRow({ recipient, waiting, oldest_at, first_joined_at }) {
  const says = `${number(waiting)}${first_joined_at ? "" : ", was never there"}`;
  return { id: recipient, name: recipient, to: link("inbox", { as: recipient }), says, at: oldest_at };
}

function Losses({ answer }) {
  const all = html`<a href=${link("ask", { service: "rogers", query: "losses" })}>Whose, and why</a>`;
  return html`<${Part} title="Losses" answer=${answer}>
    <p class="dim">${[answer?.sentence, ...(answer?.caveats ?? [])].join(" ")} ${answer?.rows?.length > 0 && all}</p>
  <//>`;
}

/** Rows alike: a state, a name that leads to messages, what is said of it, and when. */
export function Rows({ rows }) {
  const [shown, more] = useSome(rows, rows[0]?.state ? MAX_ROWS : 6);
  const row = ({ id, state, name, view, to, says, at, isSince }) => html`<li key=${id}>
    ${state}
    <a href=${to ?? link("messages", view)} title=${line(name)}>${line(name)}</a>
    <span class="says" title=${says}>${says}</span>
    <${Age} ...${{ at, isSince }} />
  </li>`;
  return html`<ul class="rows">${shown.map(row)}</ul> ${more}`;
}

/** A part of the screen: its title, what was refused, and how many its answer left out. */
export function Part({ title, answer, leftOut, children }) {
  return html`<section aria-label=${title}>
    <h2>${title}</h2>
    ${answer?.status === "success" ? children : html`<p class=${answer ? "refusal" : "dim"}>${answer ? answer.message : "Asking…"}</p>`}
    ${leftOut > 0 && html`<p class="dim">${number(leftOut)} more aren't shown.</p>`}
  </section>`;
}
