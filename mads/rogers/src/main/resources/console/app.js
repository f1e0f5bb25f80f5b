/** The page's frame: header, navigation, login, keys; what is in it are the screens. */
import { render } from "./vendor/preact.js";
import { useEffect, useRef, useState } from "./vendor/hooks.js";
import { signal } from "./vendor/signals.js";
import { awaySince, config, login, logout } from "./api.js";
import { html, keys, link, onKey, route, utc } from "./parts.js";
import * as nowScreen from "./now.js";
import * as messagesScreen from "./messages.js";
import * as tasksScreen from "./tasks.js";
import * as askScreen from "./ask.js";
import * as inboxScreen from "./inbox.js";
import * as memoryScreen from "./memory.js";
import * as conversationScreen from "./conversation.js";
import { Send, openSend } from "./send.js";

/** In the order of the navigation: each exports its path, its title, its view, and a name unless that is the path. */
const SCREENS = [nowScreen, messagesScreen, inboxScreen, tasksScreen, askScreen, memoryScreen];
/** One comes to it by a link, so it is in the navigation only while it is open. */
const LINKED = [conversationScreen];

function Header({ screen }) {
  const { identity, role } = config.value ?? {};
  const current = (each) => (each === screen ? "page" : undefined);
  return html`<header>
    <a class="skip" href="#main" onClick=${focusHeading}>Skip to the content</a>
    <a class="brand" href="#/"><img src="/console/icon.svg" alt="" width="20" height="20" /> Joshua</a>
    <nav aria-label="Screens">
      ${SCREENS.map((each) => html`<a href=${link(each.path)} aria-current=${current(each)}>${each.title}</a>`)}
      ${LINKED.includes(screen) && html`<a href=${location.hash} aria-current="page">${screen.title}</a>`}
    </nav>
    ${role && html`<span id="who">${identity ?? "local"} <span class="dim">${role}</span></span>`}
    ${sessionStorage.getItem("session") &&
    html`<button type="button" class="quiet" id="logout" onClick=${logout}>Log out</button>`}
    <button type="button" id="open-send" title="Send a message (s)" onClick=${() => openSend()}>Send</button>
    <button type="button" class="quiet" id="keys" title="Keys (?)" aria-label="Keys" onClick=${help}>?</button>
  </header>`;
}

/** The fragment is the router's: the link that skips to the content can't work by itself. */
function focusHeading(event) {
  event?.preventDefault();
  document.querySelector("h1")?.focus();
}

function Bar() {
  if (awaySince.value === null) return null;
  return html`<p class="bar" role="alert">▲ Rogers can't be reached since ${utc(awaySince.value).slice(11, 16)} UTC; trying.</p>`;
}

function Login() {
  const [refusal, setRefusal] = useState(linkRefusal);
  const submit = async (event) => {
    event.preventDefault();
    const field = event.currentTarget.elements.token;
    setRefusal(await login({ token: field.value.trim() }));
    field.value = "";
  };
  return html`<main id="main" class="login">
    <h1 tabindex="-1">Log in</h1>
    <p><code>./joshua console</code> opens this page and logs in by itself.</p>
    <form onSubmit=${submit}>
      <label for="token">Token</label>
      <input id="token" name="token" type="password" autocomplete="off" required autofocus />
      <button type="submit" class="primary">Log in</button>
    </form>
    ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
  </main>`;
}

const isHelpOpen = signal(false);
const help = () => (isHelpOpen.value = true);

function Help() {
  const dialog = useRef();
  useEffect(() => dialog.current.showModal(), []);
  return html`<dialog ref=${dialog} aria-labelledby="help" onClose=${() => (isHelpOpen.value = false)}>
    <h2 id="help">Keys</h2>
    <dl>${[...keys].map(([key, [does]]) => html`<dt><kbd>${key}</kbd></dt><dd>${does}</dd>`)}</dl>
    <form method="dialog"><button>Close</button></form>
  </dialog>`;
}

function bindKeys() {
  SCREENS.forEach(({ path, title }, at) => keys.set(String(at + 1), [title, () => (location.hash = link(path))]));
  keys.set("s", ["sends a message", openSend]);
  keys.set("?", ["these keys", help]);
  addEventListener("keydown", onKey);
}

function App() {
  const { path, query } = route.value;
  const screen = [...SCREENS, ...LINKED].find((each) => [each.path, each.detail].includes(path)) ?? nowScreen;
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) focusHeading();
    isFirst.current = false;
    document.title = `Joshua: ${screen.title}`;
  }, [screen, path === screen.detail, query.as, query.thread, query.from, query.before, query.project, query.document, query.thoughts, query.after]);
  if (config.value?.login) return html`<${Bar} /><${Login} />`;
  return html`<${Header} screen=${screen} />
    <${Bar} />
    <main id="main" class=${`${screen.name ?? screen.path} ${awaySince.value === null ? "" : "greyed"}`}>
      ${config.value && html`<${screen.View} query=${query} />`}
    </main>
    ${config.value && html`<${Send} />`}
    ${isHelpOpen.value && html`<${Help} />`}`;
}

/** `./joshua console` opens `/#code=…`, which is good once; it leaves the address at once. */
let linkRefusal = null;

async function redeemCode() {
  const code = /^#code=(.+)/.exec(location.hash)?.[1];
  if (!code) return;
  history.replaceState(null, "", "/#/");
  route.value = { path: "", query: {} };
  if (await login({ code })) {
    linkRefusal = "That link was used already, or is too old: ./joshua console makes another.";
  }
}

await redeemCode();
bindKeys();
render(html`<${App} />`, document.getElementById("app"));
