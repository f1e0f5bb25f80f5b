/** One task: its text as it comes, what became of it and why, its evidence, and a way to end it. */
import { useRef, useState } from "./vendor/hooks.js";
import { A_DAY_MS, PAUSE_MS, RETRY_MS, WAIT_MS, act, call, config, useLoop } from "./api.js";
import { Age, Copyable, State, count, fact, html, line, link, number, span, utc } from "./parts.js";
import { Leaf } from "./payload.js";
import { Result } from "./result.js";

/** A task that waits says nothing when it begins: it is looked at again soon. */
const PENDING_WAIT_MS = 2000;
const CONFIRM_MS = 5000;
const MAX_TEXT = 20_000;
const ENDED = ["COMPLETED", "FAILED"];

/** Follows a task of a service until it has ended, and returns what is known of it. */
export function useTask(service, id) {
  const state = useRef({});
  if (state.current.id !== id || state.current.service !== service) {
    state.current = { service, id, texts: new Map(), next: 0, facts: {} };
  }
  const step = async (stop) => (state.current.isOver ? A_DAY_MS : follow(state.current, stop));
  useLoop(step, [service, id]);
  return state.current;
}

async function follow(task, stop) {
  const { service, id, next, detail } = task;
  const most = detail?.status === "PENDING" ? PENDING_WAIT_MS : WAIT_MS;
  const input = { task_id: id, from_sequence: next, wait_ms: detail ? most : 0 };
  const stream = await call(service, `${service}_get_stream`, input, stop);
  const isOver = stream.status === "success" && take(task, stream);
  const isKnown = !isOver && detail?.status === stream.task_status;
  task.refusal = stream.message ?? (isKnown ? null : await look(task, stop));
  task.isOver = isOver && !task.refusal;
  if (task.refusal) return RETRY_MS;
  return ENDED.includes(stream.task_status) ? 0 : PAUSE_MS;
}

/** Adds what came; another attempt begins the text anew. Returns whether that was all. */
function take(task, { attempt, frames, next_sequence, task_status }) {
  const isAnew = task.attempt !== undefined && task.attempt !== attempt;
  Object.assign(task, { attempt, next: isAnew ? 0 : next_sequence });
  if (isAnew) task.texts.clear();
  if (isAnew) return false;
  for (const { model = "", token } of frames) task.texts.set(model, (task.texts.get(model) ?? "") + token);
  return frames.some((each) => each.final) || (ENDED.includes(task_status) && !frames.length);
}

/** Asks for the task itself, and for what its service knows beside; returns why not. */
async function look(task, stop) {
  const { service, id } = task;
  const detail = await call(service, `${service}_get_task_status`, { task_id: id }, stop);
  if (detail.status === "error") return detail.message;
  task.detail = detail;
  task.facts = (await call(service, `${service}_query`, { name: "task", arguments: { id } }, stop)).rows?.[0] ?? task.facts;
  task.ids ??= await idsOf(id, stop);
  return null;
}

/** The conversation of a task, which its service doesn't tell: the latest messages about it may. */
async function idsOf(id, stop) {
  const { messages = [] } = await call("rogers", "rogers_recent", { text: id, limit: 50, housekeeping: true }, stop);
  return messages.find((each) => each.payload?.task_id === id); // others only mention it
}

const ADVICE = [
  [/ was asked for |is left alone/, "./joshua doctor asks each model's server."],
  [/was cancelled by/, "Hand it over again if it is still wanted."],
  [/took longer than/, "Ask for less at a time; JOSHUA_TASKS_TIME_LIMIT allows more."],
  [/than there is room for/, "JOSHUA_MODEL_CONTEXT_TOKENS allows more, if the model does."],
  [/No command is meant/, "Ask for what it looks up, or give the service a model: JOSHUA_MODEL_PROVIDER."],
  [/./, "The log says more; hand it over again once that is mended."],
];

/** What to do about a failure, whose sentence says what happened. */
export const advice = (error) => ADVICE.find(([pattern]) => pattern.test(error || "?"))[1];

export function Task({ service, id }) {
  const task = useTask(service, id);
  const { detail, refusal } = task;
  const prompt = detail?.prompt ?? "";
  return html`<h1 tabindex="-1">${detail || refusal ? "Task" : `Asking ${service}…`}${detail && html`: ${line(prompt, 80)}`}</h1>
    <p><a href=${link("tasks", { service })}>All tasks</a></p>
    ${refusal && html`<p class="refusal" role="alert">${line(refusal, 2000)}</p>`}
    ${detail &&
    html`<div class="columns">
      <div><${Outcome} task=${task} /></div>
      <div>
        <section aria-label="Facts"><${Facts} task=${task} /><${Cancel} task=${task} /></section>
        <${Text} title="Prompt" text=${prompt} />
      </div>
    </div>`}`;
}

function Facts({ task: { service, id, detail, facts, ids = {} } }) {
  const when = (at) => at && html`${utc(at)} <${Age} at=${at} />`;
  const to = (query, text) => text && html`<a href=${link("messages", query)}>${line(text, 130)}</a>`;
  const { conversation_id: conversation, correlation_id: correlation } = ids;
  const { model, usage, read_as } = detail.result_payload ?? {};
  const used = usage && `, ${number(usage.tokens_in)} tokens in, ${number(usage.tokens_out)} out`;
  const state = html`<span role="status"><${State} of=${detail.status} /></span> ${why(detail, facts)}`;
  return html`<dl class="facts">
    ${fact("State", state)} ${fact("For", to({ sender: facts.requester }, facts.requester))}
    ${fact("By", service)} ${fact("Task", html`<${Copyable} text=${id} what="the id">${line(id)}<//>`)}
    ${fact("Handed over", when(detail.created_at))} ${fact("Begun", when(facts.started_at))}
    ${fact("Ended", when(facts.ended_at))} ${fact("Attempts", facts.attempts > 1 && facts.attempts)}
    ${fact("Model", model && `${line(model)}${used ?? ""}`)} ${fact("Read as", read_as && line(read_as))}
    ${fact("Conversation", to({ conversation }, conversation))}
    ${fact("Correlation", to({ correlation }, correlation))}
    ${fact("Messages", to({ text: id, housekeeping: 1 }, "what was said of it"))}
  </dl>`;
}

function why({ status }, { attempts, started_at, ended_at }) {
  const took = new Date(ended_at) - new Date(started_at);
  if (ended_at && started_at) return `after ${took < 1000 ? `${took} ms` : span(took)}`;
  if (status === "STREAMING") return "its text comes";
  if (status === "RUNNING") return "it has no new text yet";
  if (status !== "PENDING") return null;
  return attempts > 0 ? `attempt ${attempts} broke off; it is tried again` : "until one that runs has ended";
}

/** What came of a task: its error, its text, its evidence. */
export function Outcome({ task: { service, texts, detail } }) {
  const { result_payload: result, error_details: error, note, status } = detail ?? {};
  const isUnended = !ENDED.includes(status);
  const said = [...texts].filter(([, text]) => text);
  return html`${error && html`<${Failure} error=${error} />`}
    ${said.map(([model, text]) => html`<${Text} key=${model} ...${{ title: model || "Text", text }} />`)}
    ${!said.length && !error && html`<p class="dim">${isUnended ? "No text yet." : "It has no text."}</p>`}
    ${isUnended && said.length > 0 && html`<p class="dim">More comes…</p>`}
    ${result?.truncated && html`<p class="refusal">The model stopped before the end.</p>`}
    ${note && html`<p class="dim">The answer is long: its evidence isn't given here.</p>`}
    ${(result?.evidence ?? []).map((each) => html`<${Evidence} ...${{ service, of: each }} />`)}`;
}

function Text({ title, text }) {
  return html`<section aria-label=${title}>
    <${Copyable} text=${text} what="it"><h2 class="beside">${line(title)}</h2><//>
    <span class="dim">${count(text.length, "character")}</span>
    <div class="text"><${Leaf} value=${text} first=${MAX_TEXT} /></div>
  </section>`;
}

function Failure({ error: { message, stack_trace } }) {
  return html`<section aria-label="Error" class="failure">
    <${Copyable} text=${message} what="the error"><h2 class="beside">▲ Error</h2><//>
    <div class="text"><${Leaf} value=${message} /></div>
    <p>${advice(message)}</p>
    ${stack_trace && html`<details><summary>Where it happened</summary>
      <div class="tree text"><${Leaf} value=${stack_trace} /></div></details>`}
  </section>`;
}

function Evidence({ service, of: { query, arguments: given, rows } }) {
  const says = Object.entries(given).map((each) => each.join("="));
  return html`<section aria-label="Evidence: ${query}">
    <h2>Evidence</h2>
    <p><code>${line([query, ...says].join(" "))}</code> <a href=${link("ask", { service, query, ...given })}>Run again</a></p>
    <${Result} ...${{ service, query, rows }} />
  </section>`;
}

/** Ends a task: the first press asks, a second one of the same button soon after does it. */
function Cancel({ task: { service, id, detail } }) {
  const [isArmed, setArmed] = useState(false);
  const [said, setSaid] = useState("");
  const timer = useRef();
  if (ENDED.includes(detail.status)) return html`<p role="status">${said}</p>`;
  if (config.value.role === "viewer") return html`<p class="dim">To cancel it takes the role operator.</p>`;
  const say = (armed, text) => (setArmed(armed), setSaid(text));
  const held = (event) => event.repeat && event.preventDefault(); // a key held down is one press
  const press = async (event) => {
    if (event.detail > 1) return undefined; // so is a double click
    clearTimeout(timer.current);
    say(!isArmed, isArmed ? "It is being ended…" : "Press it once more within 5 s.");
    if (!isArmed) return (timer.current = setTimeout(say, CONFIRM_MS, false, ""));
    const answer = await act(service, `${service}_cancel_task`, { task_id: id });
    return setSaid(answer.message ?? (answer.cancelled ? "It is ended." : "It had ended before."));
  };
  return html`<button type="button" id="cancel" class=${isArmed && "armed"} onClick=${press} onKeyDown=${held}>
      ${isArmed ? "Really cancel it?" : "Cancel"}
    </button>
    <span role="status" class="dim"> ${said}</span>`;
}
