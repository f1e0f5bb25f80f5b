/** The screen Tasks: work that was handed over, failed first, with the reason and what to do. */
import { useEffect, useState } from "./vendor/hooks.js";
import { A_DAY_MS, RETRY_MS, call, config, now, useLoop } from "./api.js";
import { Age, State, count, html, line, link, number, replace, useSome, utc } from "./parts.js";
import { Part, Problems, failures } from "./now.js";
import { Task } from "./task.js";

export const path = "tasks";
/** One task has a view of its own: `#/task?service=…&id=…`. */
export const detail = "task";
export const title = "Tasks";

const MAX_ROWS = 200;
const MAX_SHOWN = 10;
/** In the order in which they are shown; each is a choice of the filter. */
const GROUPS = { failed: ["FAILED"], running: ["STREAMING", "RUNNING"], waiting: ["PENDING"], done: ["COMPLETED"] };

export function View({ query }) {
  const { id, service = "fiedler" } = query;
  if (id !== undefined) return html`<${Task} ...${{ service, id }} />`;
  return html`<${All} ...${{ query, service }} />`;
}

function All({ query, service }) {
  const [answers, setAnswers] = useState({});
  const step = async (stop) => {
    setAnswers(await ask(query, service, stop));
    return RETRY_MS;
  };
  useLoop(step, [JSON.stringify(query)]);
  const { refusal, groups, failed } = answers;
  const shown = Object.entries(groups ?? {}).filter(([, { rows }]) => rows.length > 0);
  return html`<${Headline} ...${{ answers, query, service }} />
    ${refusal && html`<p class="refusal" role="alert">${line(refusal, 2000)}</p>`}
    <${Problems} rows=${failures(failed?.rows)} />
    <${Filter} ...${{ query, service }} />
    ${groups && !shown.length && html`<p class="dim">There are no such tasks.</p>`}
    <div class="groups">${shown.map(([of, group]) => html`<${Group} key=${of} ...${{ of, group, query, service, answers }} />`)}</div>`;
}

/** Each state by itself, so that many that are done leave out none that failed or wait. */
async function ask({ requester, status }, service, stop) {
  const run = async (name, given) => {
    const input = { name, arguments: { requester, ...given } };
    return { rows: [], caveats: [], ...(await call(service, `${service}_query`, input, stop)) };
  };
  const kind = service === "rogers" ? "ALL" : "WORK"; // Rogers is asked questions alone
  const groups = {};
  for (const key of Object.hasOwn(GROUPS, status) ? [status] : Object.keys(GROUPS)) {
    const parts = [];
    for (const state of GROUPS[key]) parts.push(await run("tasks", { status: state, kind, limit: MAX_ROWS }));
    const refused = parts.find((each) => each.status !== "success");
    if (refused) return { refusal: refused.message };
    groups[key] = { status: "success", rows: parts.flatMap((each) => each.rows), caveats: parts.flatMap((each) => each.caveats) };
  }
  if (service !== "fiedler") return { groups };
  const since = new Date(now.value - A_DAY_MS).toISOString();
  const day = await run("stats", { since });
  const failed = await run("stats", { since, by: "error", status: "FAILED", limit: MAX_SHOWN });
  const queue = await call(service, `${service}_query`, { name: "queue" }, stop);
  return { groups, day, failed, queue: queue.rows?.[0] };
}

const verb = (value, word) => `${number(value)} ${word}${value === 1 ? "s" : ""}`;

/** What is wrong, in a sentence. */
function Headline({ answers: { groups, day, queue, refusal }, query, service }) {
  const { tasks = 0, failed = 0 } = day?.rows?.[0] ?? {};
  const whose = query.requester ? ` for ${line(query.requester, 40)}` : "";
  const some = `${failed > 0 ? number(failed) : "None"} of ${count(tasks, "task")}${whose} failed`;
  const said = tasks > 0 ? some : `Nothing was handed over${whose}`;
  const flow = queue ? `${verb(queue.running, "run")}, ${verb(queue.waiting, "wait")}` : "nothing runs or waits";
  const rest = query.requester ? "" : `; ${flow}`; // that is everybody's
  const unknown = groups || refusal ? `The tasks of ${line(service)}` : `Asking ${line(service)}…`;
  const isKnown = day?.status === "success";
  useEffect(() => {
    document.title = `Joshua: ${failed > 0 ? `${number(failed)} failed` : "tasks"}`;
  });
  return html`<h1 tabindex="-1" class=${isKnown && (failed > 0 ? "wrong" : "well")}>
      ${isKnown ? `${said} in the last day${rest}.` : unknown}
    </h1>
    ${config.value.role === "viewer" && html`<p class="dim">A viewer sees their own tasks.</p>`}`;
}

function Filter({ query, service }) {
  const set = (id) => (event) => replace(link(path, { ...query, [id]: event.currentTarget.value.trim() }));
  const choice = (id, label, value, choices) => html`<label>
    ${label}
    <select id="filter-${id}" onChange=${set(id)}>
      ${choices.map((each) => html`<option value=${each} selected=${each === value}>${each || "all"}</option>`)}
    </select>
  </label>`;
  const services = ["fiedler", "rogers"].filter((each) => config.value.services.includes(each));
  const requester = { id: "filter-requester", type: "search", autocomplete: "off", spellcheck: false };
  return html`<form class="filter" role="search" onSubmit=${(event) => event.preventDefault()}>
    ${choice("status", "State", query.status ?? "", ["", ...Object.keys(GROUPS)])}
    ${config.value.role !== "viewer" &&
    html`<label>For <input ...${requester} placeholder="anybody" value=${query.requester ?? ""} onChange=${set("requester")} /></label>`}
    ${choice("service", "By", service, services)}
  </form>`;
}

function Group({ of, group, query, service, answers: { queue } }) {
  const [shown, more] = useSome(group.rows, MAX_SHOWN);
  const row = (task) => html`<${Row} key=${task.task_id} ...${{ task, query, service }} />`;
  const first = "They wait until one of those that run has ended, the oldest first.";
  const retried = "They begin in a moment, or are tried again after a pause.";
  return html`<${Part} title=${of[0].toUpperCase() + of.slice(1)} answer=${group}>
    ${of === "waiting" && html`<p class="dim">${queue?.running > 0 ? first : retried}</p>`}
    <ul class="rows">${shown.map(row)}</ul>
    ${more} ${group.caveats.map((each) => html`<p class="dim">${line(each)}</p>`)}
  <//>`;
}

function Row({ task, query, service }) {
  const { task_id: id, status, requester, created_at, prompt, error } = task;
  return html`<li title=${utc(created_at)}>
    <${State} of=${status} />
    <a href=${link(path, { ...query, requester })}>${line(requester, 130)}</a>
    <a class="says" href=${link(detail, { service, id })}>${line(prompt) || "(no text)"}</a>
    <${Age} at=${created_at} />
    ${error && html`<span class="reason">${line(error)}</span>`}
  </li>`;
}
