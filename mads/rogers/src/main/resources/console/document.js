/** One document of a project: its text, its versions, and what two differ in; or one train of thought. */
import { useMemo, useRef } from "./vendor/hooks.js";
import { A_DAY_MS, RETRY_MS, call, useLoop } from "./api.js";
import { Age, Copyable, count, html, line, link, number, useSome, utc, visible } from "./parts.js";
import { Part } from "./now.js";
import { Leaf } from "./payload.js";
import { author, path, useChanges } from "./memory.js";

const MAX_BYTES = 1_000_000;
const MAX_CHARACTERS = 20_000;
/** To compare takes as much time and room as lines times lines; beyond it versions are side by side. */
const MAX_PRODUCT = 2000 * 2000;
const [MAX_SHOWN, CONTEXT, MAX_DEPTH] = [500, 3, 4];

export function Document({ query }) {
  const { project, document, version, with: other } = query;
  const { answer, shown, second, history } = useChanges(project, document, async (ask, all) => {
    const read = (which) => ask("document_read", { path: document, version: Number(which) || undefined, max_bytes: MAX_BYTES });
    all.history = await ask("document_history", { path: document });
    all.shown = await read(version);
    all.second = other && (await read(other));
  });
  const to = (values) => link(path, { project, document, ...values });
  return html`<h1 tabindex="-1">${line(document, 200)}</h1>
    <p><a href=${link(path, { project })}>${line(project)}</a>${" "}${version && html`<a href=${to()}>The current version</a>`}</p>
    ${answer?.message && html`<p class="refusal" role="alert">${line(answer.message)}</p>`}
    ${shown?.lock && html`<p>Locked by ${author(shown.lock.holder)} until ${utc(shown.lock.until)}${shown.lock.note && `: ${line(shown.lock.note)}`}</p>`}
    ${(history || !answer?.message) && html`<div class="columns">
      <div>${other ? html`<${Compared} ...${{ shown, second }} />` : html`<${Text} of=${shown} />`}</div>
      <div><${Versions} ...${{ history, shown, to }} /></div>
    </div>`}`;
}

function Text({ of }) {
  const { version, format, bytes, author: who, at, note, content, next_offset } = of ?? {};
  return html`<${Part} title=${version ? `Version ${number(version)}` : "Text"} answer=${of}>
    <p class="dim">${format}, ${count(bytes, "byte")}, by ${author(who ?? "")} <${Age} at=${at} /></p>
    ${note && html`<p>${line(note, 2000)}</p>`}
    <div class="text code"><${Leaf} value=${content || "It is empty."} first=${MAX_CHARACTERS} /></div>
    ${next_offset && html`<p class="dim">${count(bytes - next_offset, "byte")} more aren't shown; <code>./joshua read</code> has them.</p>`}
  <//>`;
}

function Versions({ history, shown, to }) {
  const row = ({ version, action, note, at, author: who }) => html`<li key=${version}>
    <p>
      <a href=${to({ version })} aria-current=${version === shown?.version ? "true" : undefined}>Version ${number(version)}</a>${" "}
      ${action} by ${author(who)} <${Age} at=${at} />${" "}
      ${shown?.version && version !== shown.version &&
      html`<a href=${to({ version: shown.version, with: version })} aria-label="Compare ${version} with ${shown.version}">compare</a>`}
    </p>
    ${note && html`<p class="text dim"><${Leaf} value=${note} first=${300} /></p>`}
  </li>`;
  return html`<${Part} title="Versions" answer=${history}>
    <ol class="posts">${history?.versions?.map(row)}</ol>
    ${history?.next && html`<p class="dim">Those before aren't shown.</p>`}
  <//>`;
}

function Compared({ shown, second }) {
  const [before, after] = [shown, second].sort((a, b) => a?.version - b?.version);
  const areWhole = [before, after].every((each) => each?.content !== undefined && !each.next_offset);
  const lines = useMemo(() => areWhole && difference(before.content.split("\n"), after.content.split("\n")), [before, after]);
  const [some, more] = useSome(lines ? near(lines) : [], MAX_SHOWN);
  if (!lines) return html`<div class="pair"><${Text} of=${before} /><${Text} of=${after} /></div>`;
  const row = ([sign, text]) => {
    const each = html`${sign} <${Leaf} value=${text} />${"\n"}`;
    return sign === "+" ? html`<ins>${each}</ins>` : sign === "-" ? html`<del>${each}</del>` : each;
  };
  return html`<${Part} title=${`From version ${number(before.version)} to ${number(after.version)}`} answer=${after}>
    <p class="dim">${author(before.author)} <${Age} at=${before.at} />, then ${author(after.author)} <${Age} at=${after.at} /></p>
    <div class="text code">${some.length === 0 ? "They are the same." : some.map(row)}</div> ${more}
  <//>`;
}

/** The lines that differ, with some around them; dots for those that are left out. */
function near(lines) {
  const isNear = (i) => lines.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some(([sign]) => sign !== " ");
  return lines.flatMap((each, i) => (isNear(i) ? [each] : isNear(i - 1) ? [["…", ""]] : []));
}

/** What is removed and added, by the longest common subsequence of the lines between those alike at both ends. */
function difference(before, after) {
  let [start, end] = [0, 0];
  const most = Math.min(before.length, after.length);
  while (start < most && before[start] === after[start]) start++;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [a, b] = [before, after].map((each) => each.slice(start, each.length - end));
  if (a.length * b.length > MAX_PRODUCT) return null;
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width); // of what is behind a pair of lines
  const at = (i, j) => common[i * width + j];
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const result = before.slice(0, start).map((each) => [" ", each]);
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    if (i < a.length && a[i] === b[j]) result.push([" ", a[i++], j++]);
    else if (j === b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) result.push(["-", a[i++]]);
    else result.push(["+", b[j++]]);
  }
  return [...result, ...before.slice(before.length - end).map((each) => [" ", each])];
}

export function Thoughts({ query: { project, thoughts: id } }) {
  const held = useRef({}).current;
  useLoop(async (stop) => {
    const ask = (tool, input) => call("horace", tool, { project, ...input }, stop);
    held.history = await ask("get_history", { sessionId: id });
    held.branches = await ask("list_branches", { sessionId: id });
    held.summary = await ask("session_summary", { id });
    held.drawing = await ask("visualize", { sessionId: id, format: "mermaid", showContent: true });
    return held.history.isComplete ? A_DAY_MS : RETRY_MS;
  }, []);
  const { history, branches, summary, drawing } = held;
  const { thoughts = [], totalCount, isComplete } = history ?? {};
  const tree = new Map(branches?.branches?.map((each) => [each.id, each]));
  return html`<h1 tabindex="-1">${line(summary?.name ?? "Train of thought", 120)}</h1>
    <p><a href=${link(path, { project })}>${line(project)}</a></p>
    <${Part} title="Thoughts" answer=${history}>
      <p class="dim">${isComplete ? "It is concluded." : "It goes on."} ${summary?.keyFindings?.map((each) => line(each)).join("; ")}</p>
      ${totalCount > thoughts.length && html`<p class="dim">${count(totalCount - thoughts.length, "earlier one")} not shown.</p>`}
      <ol class="posts thoughts">${thoughts.map((each, i) => html`<${Thought} ...${{ each, last: thoughts[i - 1], thoughts, tree }} />`)}</ol>
    <//>
    ${drawing?.content && html`<details><summary>As Mermaid</summary>
      <${Copyable} text=${drawing.content} what="Mermaid"><span class="text code">${visible(drawing.content)}</span><//></details>`}`;
}

/** Indented by how many branches it is in: each begins at a thought, which may be in one, too. */
function Thought({ each: { thoughtNumber, thought, revisesThought, branchId, tags = [], author: who }, last, thoughts, tree }) {
  let depth = 0;
  for (let id = branchId; tree.has(id) && depth < MAX_DEPTH; depth++) {
    const { originThought } = tree.get(id);
    id = thoughts.find((other) => other.thoughtNumber === originThought)?.branchId;
  }
  const branch = tree.get(branchId);
  const begins = branch ? `branch ${line(branchId)} (${branch.status}), from ${number(branch.originThought)}` : "main";
  const says = [revisesThought && `revises ${number(revisesThought)}`, branchId !== last?.branchId && begins, line(tags.join(", "))];
  return html`<li class="in${depth}">
    <p><b>${number(thoughtNumber)}</b> ${author(who)} <span class="dim">${says.filter(Boolean).join("; ")}</span></p>
    <p class="text"><${Leaf} value=${thought} /></p>
  </li>`;
}
