/** Calls Rogers, and the other services through him; knows who is logged in and who is away. */
import { useEffect, useReducer } from "./vendor/hooks.js";
import { computed, effect, signal, untracked } from "./vendor/signals.js";

/** How long an answer may wait for something new, and the pauses after one, and after a refusal. */
export const [WAIT_MS, PAUSE_MS, RETRY_MS] = [20_000, 200, 2000];
export const A_DAY_MS = 86_400_000;
/** Rogers gives up a call that he forwards after 30 s; after these he is away himself. */
const OWN_MS = 10_000;
const FORWARDED_MS = 40_000;

/** What Rogers said of himself and of the visitor; null until he has. */
export const config = signal(null);
/** Since when Rogers can't be reached; null while he can. */
export const awaySince = signal(null);
/** The services that can't be reached, each with the sentence that says so. */
export const unavailable = signal({});
/** The time by Rogers' clock, so that ages are right where this machine's clock isn't. */
export const now = signal(Date.now());

let skew = 0;
const visible = signal(!document.hidden);
const mayAsk = computed(() => visible.value && awaySince.value === null && config.value?.login === false);

document.addEventListener("visibilitychange", () => (visible.value = !document.hidden));
whileVisible(() => true, 1000, () => (now.value = Date.now() + skew));
whileVisible(() => config.value === null || awaySince.value !== null, RETRY_MS, refresh);

function whileVisible(condition, ms, act) {
  effect(() => {
    if (!visible.value || !condition()) return undefined;
    untracked(act);
    const timer = setInterval(act, ms);
    return () => clearInterval(timer);
  });
}

/** Sends a request; without an answer Rogers is away. */
async function request(method, path, body, stop, ms = OWN_MS) {
  const session = sessionStorage.getItem("session");
  const headers = { "Content-Type": "application/json" };
  if (session) headers.Authorization = `Session ${session}`;
  const signal = AbortSignal.any([AbortSignal.timeout(ms), ...(stop ? [stop] : [])]);
  const options = { method, headers, body: body && JSON.stringify(body), cache: "no-store", signal };
  try {
    const response = await fetch(path, options);
    if (response.status > 501) throw new Error(`Status ${response.status}`);
    const answer = response.status === 204 ? {} : await response.json();
    awaySince.value = null;
    const ahead = Date.parse(response.headers.get("Date")) - Date.now();
    skew = Math.abs(ahead) > 2000 ? ahead : 0; // the header has whole seconds
    return { status: response.status, answer };
  } catch (error) {
    if (!stop?.aborted) awaySince.value ??= Date.now() + skew;
    throw error;
  }
}

/** Asks who Rogers is, and who the visitor is to him. */
async function refresh() {
  const { answer } = await request("GET", "/console/config").catch(() => ({}));
  if (!answer) return; // the bar says it, and it is tried again
  // Another version has other files; the fragment brings the view back.
  if (config.value && config.value.version !== answer.version) location.reload();
  config.value = answer;
}

/** Calls a tool, and returns its answer or its error object. */
export async function call(service, tool, input, stop) {
  const ms = (input.wait_ms ?? 0) + (service === "rogers" ? OWN_MS : FORWARDED_MS);
  const body = { service, tool, input };
  const { status, answer } = await request("POST", "/console/call", body, stop, ms);
  if (status === 401) endSession();
  const problem = answer.code === "unavailable" ? answer.message : undefined;
  if (unavailable.value[service] !== problem) unavailable.value = { ...unavailable.value, [service]: problem };
  return answer;
}

/** Calls a tool because somebody pressed a button, who is told where that can't be done. */
export const act = (service, tool, input) =>
  call(service, tool, input).catch(() => ({ message: "Rogers can't be reached; try again." }));

/** Logs in by a token, or by the code of `./joshua console`; returns why not, or null. */
export async function login(proof) {
  const none = { answer: { message: "Rogers can't be reached." } };
  const { status, answer } = await request("POST", "/console/session", proof).catch(() => none);
  if (status !== 200) return status === 401 ? "Rogers doesn't know this token." : answer.message;
  sessionStorage.setItem("session", answer.session);
  await refresh();
  return null;
}

export async function logout() {
  await request("DELETE", "/console/session").catch(() => {});
  endSession();
}

function endSession() {
  sessionStorage.removeItem("session");
  config.value = { version: config.value.version, login: true };
}

/**
 * Runs a step again and again while the screen is there; it returns the pause until the next one.
 * What holds the loop is drawn after each step.
 * Where the page is hidden, Rogers is away or the session over, what is under way is given up.
 */
export function useLoop(step, reasons) {
  const [, draw] = useReducer((draws) => draws + 1, 0);
  useEffect(() => {
    let turns = new AbortController();
    const end = effect(() => {
      turns.abort();
      if (!mayAsk.value) return;
      turns = new AbortController();
      untracked(() => run(step, turns.signal, draw)); // what the step reads doesn't start it anew
    });
    return () => {
      end();
      turns.abort();
    };
  }, reasons);
}

async function run(step, stop, draw) {
  while (!stop.aborted) {
    let pause = RETRY_MS;
    try {
      pause = await step(stop);
      if (!stop.aborted) draw();
    } catch (error) {
      if (!stop.aborted && awaySince.value === null) console.error(error);
    }
    await sleep(pause, stop);
  }
}

export function sleep(ms, stop) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    stop.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
