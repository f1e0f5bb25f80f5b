/** A sequence diagram of messages, and the same as a file. */
import { useEffect, useLayoutEffect, useRef, useState } from "./vendor/hooks.js";
import { html, line, link, number, utc } from "./parts.js";
import { rowOf } from "./messages.js";

export const MAX_LIFELINES = 24;
const [GUTTER, HEAD, ROW] = [76, 30, 36]; // pixels
const [MIN_COLUMN, MIN_WORDS, CHARACTER] = [118, 240, 6.6];

/** Whom a channel leads to: a participant; a topic and the broadcast have lifelines of their own. */
export const target = (channel) => channel.replace(/^mad\.direct\./, "");
export const isForAll = (target) => /^mad\.(topic\.|broadcast$)/.test(target);
export const label = (target) => (isForAll(target) ? target.replace("mad.topic.", "# ").replace("mad.", "") : target);

/** Who takes part, in the order in which they first do: name or channel → number. */
export function lifelinesOf(items) {
  const all = items.flatMap(({ message, channels }) => [message.sender_id, ...[...channels].map(target)]);
  return new Map([...new Set(all)].map((each, i) => [each, i]));
}

/** Its rows are a list of links: what one sees is what one hears, and what the keys go through. */
export function Drawing({ transcript: { items, last, history }, lifelines, query }) {
  const box = useRef();
  const isAbove = useRef(false);
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([{ contentRect }]) => setRoom(contentRect.width));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (!isAbove.current) box.current.scrollTop = box.current.scrollHeight;
  });
  useEffect(() => rowOf(query.message)?.scrollIntoView({ block: "nearest" }), [query.message, items.length > 0, room]);
  const onScroll = () => {
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    isAbove.current = scrollHeight - scrollTop - clientHeight > 30;
  };
  const names = [...lifelines.keys()].slice(0, MAX_LIFELINES);
  const column = Math.max(MIN_COLUMN, (room - GUTTER) / names.length);
  const [width, height] = [Math.round(GUTTER + names.length * column), items.length * ROW + 10];
  const at = (name) => GUTTER + (Math.min(lifelines.get(name), MAX_LIFELINES - 1) + 0.5) * column;
  const hasDays = new Set(items.map(({ message }) => utc(message.at).slice(0, 10))).size > 1;
  const places = { at, width, column, hasDays };
  const others = (i) => (i === MAX_LIFELINES - 1 ? lifelines.size - names.length : 0);
  const isAsked = last.next || last.message || (query.before && history);
  return html`<div class="sequence" ref=${box} onScroll=${onScroll}>
    ${items.length === 0 && html`<p class="gap dim">${isAsked ? "Nothing of it is known; what comes appears here." : "Asking…"}</p>`}
    ${items.length > 0 &&
    html`<svg class="head" width=${width} height=${HEAD} viewBox="0 0 ${width} ${HEAD}" aria-hidden="true">
        ${names.map((each, i) => html`<${Name} name=${each} others=${others(i)} ...${places} />`)}
      </svg>
      <svg width=${width} height=${height} viewBox="0 ${HEAD} ${width} ${height}" role="list" aria-label="Messages, the newest last">
        ${names.map((each) => html`<path class="lifeline" d=${`M${at(each)} ${HEAD}v${height}`} />`)}
        ${items.map((each, i) => html`<${Arrow} key=${each.id} of=${each} i=${i} isLast=${i === items.length - 1} ...${{ places, query }} />`)}
      </svg>`}
  </div>`;
}

/** A svg in the svg cuts what has no room. */
function Name({ name, others, at, column }) {
  const says = others > 0 ? `${number(others + 1)} others` : line(label(name), Math.floor(column / 7.5));
  return html`<svg x=${at(name) - column / 2 + 4} width=${column - 8} height=${HEAD}>
    <title>${line(name)}</title><text x="50%" y="20">${says}</text>
  </svg>`;
}

function Arrow({ of: { id, message, channels, says }, i, isLast, places: { at, width, hasDays }, query }) {
  const y = HEAD + i * ROW;
  const from = at(message.sender_id);
  const targets = [...channels].map(target);
  const ends = targets.map(at);
  const left = Math.min(from, ...ends);
  const span = Math.min(width - GUTTER, Math.max(Math.max(from, ...ends) - left, MIN_WORDS));
  const room = Math.min(span, says.length * CHARACTER + 20);
  const isOpen = id === query.message;
  const time = utc(message.at);
  return html`<g role="listitem">
    <a
      class=${targets.some(isForAll) ? "topic" : ""} href=${link("conversation", { ...query, message: id })} data-id=${id}
      tabindex=${isOpen || isLast ? 0 : -1} aria-current=${isOpen ? "true" : undefined}
    >
      <title>${`${time}, ${line(message.sender_id)} to ${line(targets.join(", "))}: ${says}`}</title>
      <rect y=${y} width=${width} height=${ROW} />
      <text x="10" y=${y + 28}>${hasDays ? time.slice(5, 16).replace("T", " ") : time.slice(11, 19)}</text>
      <path d=${ends.map((end) => arrow(from, end, y + 24)).join("")} /><circle cx=${from} cy=${y + 24} r="3" />
      <svg x=${Math.min(left + 8, width - room)} y=${y} width=${room} height="20">
        <text class="words" x="2" y="16">${line(says, Math.floor((room - 16) / CHARACTER))}</text>
      </svg>
    </a>
  </g>`;
}

function arrow(from, to, y) {
  if (from === to) return `M${from} ${y - 4}h26v10h-24l7 -4m-7 4l7 4`;
  const back = to > from ? -7 : 7;
  return `M${from} ${y}H${to}l${back} -4m${-back} 4l${back} 4`;
}

/** The drawing as a file: the names above the rows, and the rules with the colours of now. */
export function standalone() {
  const [head, rows] = document.querySelectorAll(".sequence > svg");
  const file = rows.cloneNode(true);
  const { width, height } = rows.viewBox.baseVal;
  const colours = getComputedStyle(document.documentElement);
  const rules = document.createElementNS(file.namespaceURI, "style");
  rules.textContent = [...document.styleSheets[0].cssRules]
    .filter((rule) => rule.selectorText?.startsWith(".sequence svg"))
    .map((rule) => rule.cssText.replaceAll(".sequence svg", "svg"))
    .join("\n")
    .replace(/var\((--\w+)\)/g, (_, variable) => colours.getPropertyValue(variable));
  file.prepend(rules);
  file.append(...head.cloneNode(true).childNodes);
  file.setAttribute("viewBox", `0 0 ${width} ${height + HEAD}`);
  file.setAttribute("height", height + HEAD);
  return new XMLSerializer().serializeToString(file).replace(/[\ufffe\uffff]/g, "\ufffd"); // XML has no such characters
}
