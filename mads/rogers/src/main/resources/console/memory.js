/** The screen Memory: what Horace keeps of each project, who wrote it, and what changes. It only looks. */
import { useRef } from "./vendor/hooks.js";
import { PAUSE_MS, RETRY_MS, WAIT_MS, call, config, now, unavailable, useLoop } from "./api.js";
import { Age, count, fact, html, line, link, number, span, useSome } from "./parts.js";
import { Part, Rows } from "./now.js";
import { List } from "./inbox.js";
import { Leaf, Tree } from "./payload.js";
import { Document, Thoughts } from "./document.js";

export const path = "memory";
export const title = "Memory";

const MAX_ROWS = 100;
/** Answers have some 24 KB each; so many are read of a list that begins with its oldest. */
const MAX_PAGES = 20;

export function View({ query }) {
  const { project, document, version, thoughts, after } = query;
  const View = document ? Document : thoughts ? Thoughts : project ? Project : Projects;
  const key = String([project, document, version, query.with, thoughts, after]);
  if (config.value.services.includes("horace")) return html`<${View} key=${key} query=${query} />`;
  return html`<h1 tabindex="-1">Memory</h1>
    <p>Horace, who keeps what agents write together, isn't run here.</p>`;
}

/** Who did something; it leads to what they say. */
export const author = (name) => html`<a href=${link("messages", { sender: name })}>${line(name, 130)}</a>`;
const by = (name) => html`<span class="state" title=${name}>${author(name)}</span>`;
const words = (...parts) => parts.filter(Boolean).join("; ");
/** The subject of a train of thought is a number that says nothing. */
const subjectOf = ({ kind, subject }) => (kind === "thinking" ? "train of thought" : subject);
const latest = ({ at, author: who }) => `changed ${span(now.value - new Date(at))} ago by ${line(who, 60)}`;

function Projects() {
  const held = useRef({}).current;
  useLoop(async (stop) => {
    held.answer = await call("horace", "project_list", { limit: MAX_ROWS }, stop);
    const first = { project: held.answer.projects?.[0]?.project, limit: 1 };
    if (first.project) held.last = (await call("horace", "project_changes", first, stop)).changes?.[0];
    return RETRY_MS;
  }, []);
  const { answer, last } = held;
  const row = ({ project, name, documents, changed_at: at }) => {
    const says = words(name !== project && line(name), count(documents, "document"));
    return { id: project, name: project, to: link(path, { project }), says, at };
  };
  const rows = answer?.projects?.map(row);
  const some = rows?.length > 0 && `${answer.next ? "More than " : ""}${count(rows.length, "project")}`;
  return html`<h1 tabindex="-1">${some ? `${words(some, last && `${line(last.project)} ${latest(last)}`)}.` : "Memory"}</h1>
    <p class="dim">What agents write together, decide and think, by project.</p>
    <${List} ...${{ title: "Projects", answer, rows, isCut: answer?.next }} />`;
}

/** A view's answers, asked for again after each change of a project, or of one subject; the newest changes. */
export function useChanges(project, subject, look) {
  const held = useRef({ changes: [] }).current;
  useLoop(async (stop) => {
    const ask = (tool, input) => call("horace", tool, { project, ...input }, stop);
    const isFirst = held.last === undefined;
    const wait_ms = isFirst ? 0 : WAIT_MS;
    held.answer = await ask("project_changes", { subject, since: held.last, limit: MAX_ROWS, wait_ms });
    const { status, changes, last, more } = held.answer;
    held.last = more && !isFirst ? undefined : last; // of too many the newest are asked for
    if (status !== "success") return RETRY_MS;
    held.changes = [...(isFirst ? [] : held.changes), ...changes].slice(-MAX_ROWS);
    if (!isFirst && changes.length === 0) return PAUSE_MS;
    await look(ask, held);
    if (unavailable.value.horace) held.last = undefined;
    return isFirst ? PAUSE_MS : RETRY_MS;
  }, []);
  return held;
}

/** The newest decisions: a page of them begins with the oldest. */
async function decisionsOf(ask) {
  let [answer, rows] = [{}, []];
  for (let page = 0; page < MAX_PAGES && (page === 0 || answer.next); page++) {
    answer = await ask("decision_list", { limit: 1000, after_id: answer.next });
    rows = [...rows, ...(answer.decisions ?? [])];
  }
  return { ...answer, rows: rows.slice(-MAX_ROWS), leftOut: rows.length - MAX_ROWS };
}

function Project({ query: { project, after } }) {
  const held = useChanges(project, undefined, async (ask, all) => {
    all.state = await ask("project_state", {});
    all.priority = await ask("priority_read", {});
    all.documents = await ask("document_list", { after, limit: MAX_ROWS });
    const ofProject = { name: "locks", arguments: { project, limit: MAX_ROWS } };
    all.locks = await ask("horace_query", { ...ofProject, project: undefined });
    all.checkpoints = await ask("checkpoint_status", {});
    all.decisions = await decisionsOf(ask);
    all.sessions = await ask("session_list", { limit: MAX_ROWS });
  });
  const { answer, changes, state, priority, sessions } = held;
  const last = changes.at(-1);
  return html`<h1 tabindex="-1">${line(project, 80)}${last && `: ${line(subjectOf(last), 80)} ${latest(last)}.`}</h1>
    <p><a href=${link(path)}>Projects</a></p>
    ${answer?.message && html`<p class="refusal" role="alert">${line(answer.message)}</p>`}
    ${(state || !answer?.message) && html`<div class="columns">
      <div>
        <${Part} title="To know first" answer=${priority}>
          <p class="text"><${Leaf} value=${priority?.context || "Nothing."} /></p>
        <//>
        <${Documents} ...${{ project, after, held }} />
        <${List} title="Last changes" answer=${answer} rows=${changes.map((each) => changeRow(each, project)).reverse()} />
        ${answer?.gap && html`<p class="dim">${line(answer.gap)}</p>`}
      </div>
      <div>
        <${Part} title="State" answer=${state}><${Tree} value=${state?.state} /><//>
        <${Checkpoints} answer=${held.checkpoints} />
        <${List} title="Trains of thought" answer=${sessions} rows=${sessions?.sessions?.map((each) => sessionRow(each, project))}
          leftOut=${sessions?.totalCount - sessions?.sessions?.length} />
        <${Decisions} answer=${held.decisions} />
      </div>
    </div>`}`;
}

function Documents({ project, after, held: { documents: answer, locks } }) {
  const held = new Map(locks?.rows?.map((each) => [each.path, each]));
  const locked = ({ holder, note } = {}) => holder && `locked by ${line(holder)}${note ? ` (${line(note)})` : ""}`;
  const row = ({ path: name, version, bytes, note, at, author: who }) => {
    const says = words(locked(held.get(name)), `version ${number(version)}, ${count(bytes, "byte")}`, note && line(note));
    return { id: name, state: by(who), name, to: link(path, { project, document: name }), says, at };
  };
  return html`<${List} title="Documents" answer=${answer} rows=${answer?.documents?.map(row)} isCut=${false}>
    ${answer?.next && html`<p><a href=${link(path, { project, after: answer.next })}>Those after ${line(answer.next)}</a></p>`}
    ${after && html`<p>They begin after ${line(after)}. <a href=${link(path, { project })}>The first ones</a></p>`}
    ${locks?.message && html`<p class="refusal">Whether they are locked isn't known: ${line(locks.message)}</p>`}
    ${locks?.rows?.length === MAX_ROWS && html`<p class="dim">There are more locks, which aren't shown.</p>`}
  <//>`;
}

function changeRow({ change, kind, subject, version, action, note, at, author: who }, project) {
  const views = { document: { document: subject }, lock: { document: subject }, thinking: { thoughts: subject } };
  const says = words(`${kind} ${action}${version ? `, version ${number(version)}` : ""}`, note && line(note));
  return { id: change, state: by(who), name: subjectOf({ kind, subject }), to: link(path, { project, ...views[kind] }), says, at };
}

function sessionRow({ id, name, status, thoughtCount, branchCount, createdBy, updatedAt }, project) {
  const says = words(status, count(thoughtCount, "thought"), branchCount > 0 && `branches: ${number(branchCount)}`);
  const own = name.replace(/^Session [\d-]+ [\d:]+ [AP]M: /, ""); // it begins so where nobody named it
  return { id, state: by(createdBy), name: own, to: link(path, { project, thoughts: id }), says, at: updatedAt };
}

function Checkpoints({ answer }) {
  const { passed = [], pending = [], blocked = [] } = answer ?? {};
  const row = ({ agent, missing }) => ({ id: agent, name: agent, view: { sender: agent }, says: `waits for ${line(missing.join(", "))}` });
  const all = (ids) => line(ids.join(", "), 2000) || "none";
  return html`<${Part} title="Checkpoints" answer=${answer}>
    <dl class="facts">${fact("passed", all(passed))} ${fact("pending", all(pending))} ${fact("waiting", count(blocked.length, "agent"))}</dl>
    <${Rows} rows=${blocked.map(row)} />
  <//>`;
}

function Decisions({ answer }) {
  const [shown, more] = useSome(answer?.rows?.toReversed() ?? [], 10);
  const decision = ({ decision_id, checkpoint_id, selected, rationale, supersedes, at, author: who }) => html`<li key=${decision_id}>
    <p class="dim">${words(decision_id, supersedes && `in place of ${supersedes}`, checkpoint_id && line(checkpoint_id))} ${author(who)} <${Age} at=${at} /></p>
    <p><b><${Leaf} value=${selected} first=${500} /></b></p>
    ${rationale && html`<p class="text"><${Leaf} value=${rationale} first=${500} /></p>`}
  </li>`;
  return html`<${Part} title="Decisions" answer=${answer} leftOut=${answer?.leftOut}>
    <p class="dim">${shown.length > 0 ? "The newest is last; what was amended is left out." : "None."} ${more}</p>
    <ol class="posts">${shown.map(decision).reverse()}</ol>
    ${answer?.next && html`<p class="dim">There are later ones, which aren't shown.</p>`}
  <//>`;
}
