// Sends each line of standard input as one frame over a WebSocket, and prints each frame that comes.
//
//   node frames.mjs ws://127.0.0.1:8000/ws <<< '{"tool_name":"grace_poll_messages","tool_input":{"client_id":"ann"}}'
//
// Ends when standard input has ended and every frame has been answered.
import { createInterface } from 'node:readline';
import WebSocket from 'ws';

const socket = new WebSocket(process.argv[2]);
let unanswered = 0;
let ended = false;

function closeWhenDone() {
  if (ended && unanswered === 0) {
    socket.close();
  }
}

socket.on('message', (frame) => {
  console.log(frame.toString());
  unanswered--;
  closeWhenDone();
});
socket.on('open', async () => {
  for await (const line of createInterface({ input: process.stdin })) {
    unanswered++;
    socket.send(line);
  }
  ended = true;
  closeWhenDone();
});
socket.on('error', (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
