/** The screen Ask: questions in words, with their evidence; and queries as forms. */
import { useEffect, useState } from "./vendor/hooks.js";
import { act, config } from "./api.js";
import { State, html, line, link, replace } from "./parts.js";
import { Names, Result, useAnswer } from "./result.js";
import { Outcome, useTask } from "./task.js";

export const path = "ask";
export const title = "Ask";

/** Who can be asked in words, and about what. */
const ABOUT = { rogers: "Rogers, about the bus", fiedler: "Fiedler, about tasks and anything else" };
const EXAMPLES = [
  ["rogers", "Who is here?"],
  ["rogers", "Was anything lost?"],
  ["rogers", "What is wrong?"],
  ["fiedler", "What failed today?"],
];
const QUERIED = ["rogers", "fiedler", "dewey"];
const known = (names) => names.filter((each) => config.value.services.includes(each));

export function View({ query }) {
  const { service = "rogers", task } = query;
  useEffect(() => {
    if (document.activeElement === document.body) document.querySelector("h1").focus(); // the link is gone
  }, [service, task, query.query]);
  return html`<h1 tabindex="-1">Ask</h1>
    <${Question} service=${service} />
    ${task === undefined
      ? html`<${Queries} ...${{ service, query }} />`
      : html`<${Answer} ...${{ service, id: task }} />`}`;
}

function Question({ service }) {
  const [refusal, setRefusal] = useState(null);
  const services = known(Object.keys(ABOUT));
  const ask = async (whom, prompt) => {
    const input = { prompt, requester_id: config.value.identity ?? "human" };
    const { task_id, message } = await act(whom, `${whom}_converse`, input);
    setRefusal(task_id ? null : message);
    if (task_id) location.hash = link(path, { service: whom, task: task_id });
  };
  const submit = (event) => {
    event.preventDefault();
    const { whom, prompt } = event.currentTarget.elements;
    ask(whom.value, prompt.value);
  };
  const field = { id: "prompt", name: "prompt", autocomplete: "off", required: true, maxlength: 100_000 };
  const choice = (each) => html`<option value=${each} selected=${each === service}>${ABOUT[each]}</option>`;
  const example = ([whom, prompt]) =>
    html`<button type="button" class="example" onClick=${() => ask(whom, prompt)}>${prompt}</button>`;
  return html`<section aria-label="A question">
    <form class="question" onSubmit=${submit}>
      <input ...${field} aria-label="Question" placeholder="What do you want to know?" />
      <select name="whom" aria-label="Whom">${services.map(choice)}</select>
      <button type="submit" class="primary">Ask</button>
    </form>
    ${EXAMPLES.filter(([whom]) => services.includes(whom)).map(example)}
    ${refusal && html`<p class="refusal" role="alert">${line(refusal, 2000)}</p>`}
  </section>`;
}

/** The answer to a question is a task, which has a link of its own. */
function Answer({ service, id }) {
  const task = useTask(service, id);
  const { detail, refusal } = task;
  return html`<p>
      ${detail && html`<b>${line(detail.prompt)}</b> <span role="status"><${State} of=${detail.status} /></span>`}${" "}
      <a href=${link("task", { service, id })}>The task</a>, <a href=${link(path, { service })}>all queries</a>
    </p>
    ${refusal && html`<p class="refusal" role="alert">${line(refusal, 2000)}</p>`}
    ${detail && html`<${Outcome} task=${task} />`}`;
}

/** The queries of a service, as it says itself, or one of them. */
function Queries({ service, query }) {
  const help = useAnswer(service, "query", { name: "help" });
  const chosen = help?.rows?.find((each) => each.query === query.query);
  const change = (event) => (location.hash = link(path, { service: event.currentTarget.value }));
  const to = (each) => html`<li>
    <a href=${link(path, { service, query: each.query })}>${each.query}</a>
    <span class="dim">${line(each.meaning)}</span>
  </li>`;
  if (chosen) return html`<${Form} key=${`${service} ${chosen.query}`} ...${{ service, of: chosen, query }} />`;
  return html`<section aria-label="Queries">
    <h2><label for="service">What can be looked up at</label>${" "}
      <select id="service" onChange=${change}>
        ${known(QUERIED).map((each) => html`<option selected=${each === service}>${each}</option>`)}
      </select>
    </h2>
    ${!help && html`<p class="dim">Asking ${service}…</p>`}
    ${help?.message && html`<p class="refusal" role="alert">${line(help.message, 2000)}</p>`}
    ${help?.rows && query.query && html`<p class="refusal">There is no query ${line(query.query)}.</p>`}
    <ul class="queries">${help?.rows?.map(to)}</ul>
  </section>`;
}

/** A query's form, whose values are in the address, and what they find. */
function Form({ service, of: { query: name, meaning, arguments: forms }, query }) {
  const [runs, setRuns] = useState(0);
  const [typed, setTyped] = useState({});
  const given = Object.entries(forms).filter(([key]) => query[key]);
  const values = given.map(([key, form]) => [key, isNumber(form) ? Number(query[key]) : query[key]]);
  const answer = useAnswer(service, "query", { name, arguments: Object.fromEntries(values) }, runs);
  const submit = (event) => {
    event.preventDefault();
    replace(link(path, { ...query, ...typed }));
    setTyped({});
    setRuns(runs + 1);
  };
  const field = ([key, form]) => {
    const type = (value) => setTyped({ ...typed, [key]: isTime(form) ? instant(value) : value.trim() });
    return html`<${Field} key=${key} ...${{ name: key, form, value: typed[key] ?? query[key] ?? "", type }} />`;
  };
  return html`<section aria-label="Query ${name}">
    <h2>${name} <a href=${link(path, { service })}>All queries of ${service}</a></h2>
    <p class="dim">${line(meaning)}</p>
    <form class="fields" onSubmit=${submit}>
      ${Object.entries(forms).map(field)}
      <button type="submit" class="primary">Run</button>
      <${Names} id="participants" />
    </form>
    <div role="status">${answer ? html`<${Said} answer=${answer} />` : html`<p class="dim">Asking ${service}…</p>`}</div>
    ${answer?.rows && html`<${Result} ...${{ service, query: name, rows: answer.rows }} />`}
  </section>`;
}

/** What an answer says, and what it doesn't cover. */
function Said({ answer: { message, sentence, caveats = [] } }) {
  if (message) return html`<p class="refusal">${line(message, 2000)}</p>`;
  return html`<p><b>${line(sentence, 2000)}</b></p>
    ${caveats.map((each) => html`<p class="dim">${line(each, 1000)}</p>`)}`;
}

const isNumber = (form) => form.startsWith("number: ");
const isTime = (form) => /^\d{4}-/.test(form);
const instant = (text) => text && `${text.length === 16 ? `${text}:00` : text}Z`;
/** An instant as a browser's field has it: without seconds where there are none. */
const local = (text) => text.replace(/(\.\d+)?Z$/, "").replace(/^(.{16}):00$/, "$1");

/** A field by its form: a|b|c for choices, an example of a time, or the kind of a value. */
function Field({ name, form, value, type }) {
  const [kind, ...meaning] = form.split(": ");
  const choices = kind.includes("|") && ["", ...kind.split("|")];
  const kinds = {
    name: { list: "participants", placeholder: "a name" },
    channel: { placeholder: "mad.topic.news" },
    number: { type: "number", min: 1 },
  };
  const time = { type: "datetime-local", step: 1, value: local(value) };
  const onInput = (event) => type(event.currentTarget.value);
  const input = { name, value, onInput, autocomplete: "off", spellcheck: false, ...(isTime(kind) ? time : kinds[kind]) };
  const option = (each) => html`<option value=${each} selected=${each === value}>${each || "–"}</option>`;
  return html`<label>
    ${name}${isTime(kind) && ", in UTC"}
    ${choices ? html`<select ...${{ name, onInput }}>${choices.map(option)}</select>` : html`<input ...${input} />`}
    <span class="dim">${line(meaning.join(": "))}</span>
  </label>`;
}
