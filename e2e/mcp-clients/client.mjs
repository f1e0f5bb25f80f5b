// A client of the official TypeScript SDKs that is driven by lines of JSON on standard input.
//
//   node client.mjs sdk1 http://127.0.0.1:8000/mcp        SDK version 1, over HTTP
//   node client.mjs sdk1 ws://127.0.0.1:8000/mcp          … over WebSocket
//   node client.mjs sdk2-modern http://127.0.0.1:8000/mcp SDK version 2; also sdk2-auto, sdk2-legacy
//   node client.mjs sdk2-modern /path/to/joshua mcp       … over standard input and output
//
// A line is {"do": "connect" | "tools" | "call" | "watch" | "updates" | "version", …}; it is answered by one line:
// {"is": …}, {"refused": {"text": "…", "error": {…}}}, {"failed": "…"}, or {"hangs": true} when nothing has come for as long as a user would wait.
import { createInterface } from 'node:readline';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WebSocketClientTransport as WebSocket1 } from '@modelcontextprotocol/sdk/client/websocket.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';

const WAIT_MILLIS = 30_000;
const SELF = { name: 'joshua-test', version: '1' };
const [kind, target, ...args] = process.argv.slice(2);

/** What a tool has refused, as the SDK hands it over. */
class Refused extends Error {
  constructor(result) {
    super('refused');
    this.shown = { text: result.content[0]?.text ?? '', error: result._meta?.['joshua/error'] ?? {} };
  }
}

let client;
let updates = 0;

function mode() {
  switch (kind) {
    case 'sdk2-modern':
      return { pin: '2026-07-28' };
    case 'sdk2-auto':
      return 'auto';
    default:
      return 'legacy';
  }
}

async function connect() {
  await client?.close().catch(() => {});
  if (kind === 'sdk1') {
    client = new Client1(SELF);
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => updates++);
    await client.connect(target.startsWith('ws') ? new WebSocket1(new URL(target)) : new Http1(new URL(target)));
  } else {
    client = new Client2(SELF, { versionNegotiation: { mode: mode() } });
    client.setNotificationHandler('notifications/resources/updated', () => updates++);
    const transport = target.startsWith('http')
      ? new Http2(new URL(target))
      : new Stdio2({ command: target, args, env: process.env });
    await client.connect(transport);
  }
  return true;
}

async function watch(uri) {
  if (kind === 'sdk2-modern' || (kind === 'sdk2-auto' && !target.startsWith('ws'))) {
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    return subscription.honoredFilter.resourceSubscriptions?.length === 1;
  }
  await client.subscribeResource({ uri });
  return true;
}

async function carryOut(line) {
  switch (line.do) {
    case 'connect':
      return connect();
    case 'tools':
      return (await client.listTools()).tools.map((tool) => tool.name);
    case 'call': {
      const result = await client.callTool({ name: line.tool, arguments: line.arguments });
      if (result.isError) {
        throw new Refused(result);
      }
      return result.structuredContent ?? result;
    }
    case 'watch':
      return watch(line.uri);
    case 'updates':
      return updates;
    default:
      throw new Error(`what is ${line.do}?`);
  }
}

function answer(message) {
  process.stdout.write(JSON.stringify(message) + '\n');
}

async function take(line) {
  let timer;
  const patience = new Promise((resolve) => {
    timer = setTimeout(() => resolve({ hangs: true }), WAIT_MILLIS);
  });
  const work = carryOut(line).then(
    (is) => ({ is }),
    (error) =>
      error instanceof Refused ? { refused: error.shown } : { failed: error?.message ?? String(error) },
  );
  answer(await Promise.race([work, patience]));
  clearTimeout(timer);
}

process.on('unhandledRejection', () => {});
for await (const line of createInterface({ input: process.stdin })) {
  await take(JSON.parse(line));
}
await client?.close().catch(() => {});
process.exit(0);
