/** What a tool answers once: rows as a table, to read and to download; names to choose from. */
import { useRef } from "./vendor/hooks.js";
import { A_DAY_MS, RETRY_MS, call, useLoop } from "./api.js";
import { count, html, line, link, useSome } from "./parts.js";
import { Leaf, compact } from "./payload.js";

const MAX_ROWS = 50;
const MAX_CELL = 200;

/** The answer to one question, asked for again only while its service is away, or for a new run. */
export function useAnswer(service, tool, input, runs = 0) {
  const key = JSON.stringify([service, tool, input, runs]);
  const last = useRef({});
  const step = async (stop) => {
    if (last.current.key === key && !last.current.isAway) return A_DAY_MS;
    const answer = await call(service, `${service}_${tool}`, input, stop);
    if (stop.aborted) return 0;
    last.current = { key, answer, isAway: answer.code === "unavailable" };
    return last.current.isAway ? RETRY_MS : A_DAY_MS;
  };
  useLoop(step, [key]);
  return last.current.key === key ? last.current.answer : undefined;
}

/** The table of a query's rows; the file has those too that aren't shown. */
export function Result({ service, query, rows }) {
  const [shown, more] = useSome(rows, MAX_ROWS);
  if (rows.length === 0) return html`<p class="dim">No rows.</p>`;
  const columns = [...new Set(rows.flatMap(Object.keys))];
  const head = (column) => html`<th scope="col">${line(column.replaceAll("_", " "))}</th>`;
  const cell = (column, value) => html`<td><${Cell} ...${{ service, column, value }} /></td>`;
  const row = (each) => html`<tr>${columns.map((column) => cell(column, each[column]))}</tr>`;
  const save = () => download(`${service}-${query}.csv`, csv(columns, rows));
  return html`<div class="scrolled" tabindex="0" role="region" aria-label="Rows of ${line(query)}">
      <table>
        <thead><tr>${columns.map(head)}</tr></thead>
        <tbody>${shown.map(row)}</tbody>
      </table>
    </div>
    <p>
      <span class="dim">${count(rows.length, "row")}</span> ${more}
      <button type="button" class="quiet" onClick=${save}>Download as CSV</button>
    </p>`;
}

function Cell({ service, column, value }) {
  if (value === null || value === undefined) return null;
  if (column === "task_id") return html`<a href=${link("task", { service, id: value })}>${line(value)}</a>`;
  return html`<${Leaf} value=${typeof value === "object" ? compact(value, MAX_CELL) : value} first=${MAX_CELL} />`;
}

/** RFC 4180, with a mark that tells spreadsheets that it is UTF-8. */
function csv(columns, rows) {
  const lines = [columns, ...rows.map((row) => columns.map((each) => row[each]))];
  return `\ufeff${lines.map((cells) => cells.map(quoted).join(",")).join("\r\n")}\r\n`;
}

/** An apostrophe keeps a spreadsheet from taking others' text for a formula. */
function quoted(value) {
  const text = value !== null && typeof value === "object" ? JSON.stringify(value) : String(value ?? "");
  const isFormula = typeof value !== "number" && /^\s*[=+\-@]/.test(text);
  return `"${isFormula ? "'" : ""}${text.replaceAll('"', '""')}"`;
}

export function download(name, text, type = "text/csv") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser may not have begun
}

/** The names on the bus, for an input to choose from. */
export function Names({ id }) {
  const { connections = [] } = useAnswer("rogers", "get_connections", {}) ?? {};
  return html`<datalist id=${id}>${connections.map((each) => html`<option value=${each.mad_id}></option>`)}</datalist>`;
}
