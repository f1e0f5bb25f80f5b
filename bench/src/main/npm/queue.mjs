// BullMQ as its documentation recommends it for production: one queue, one worker with concurrency, finished jobs
// removed. For each line of standard input, a number of seconds, writes how many jobs a second were processed.
import { createInterface } from "node:readline";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";

const [port, password, callers] = process.argv.slice(2);
const connection = () => new Redis({ host: "127.0.0.1", port: Number(port), password, maxRetriesPerRequest: null });
const queue = new Queue("bench", { connection: connection(), defaultJobOptions: { removeOnComplete: { count: 1000 } } });
const result = "x".repeat(1000);
let processed = 0;
const worker = new Worker("bench", async () => result, { connection: connection(), concurrency: 64 });
worker.on("completed", () => processed++);
await worker.waitUntilReady();

for await (const line of createInterface({ input: process.stdin })) {
  const began = performance.now();
  const end = began + Number(line) * 1000;
  const before = processed;
  let added = 0;
  await Promise.all(
    Array.from({ length: Number(callers) }, async () => {
      while (performance.now() < end) {
        await queue.add("help", { prompt: "help", requester: "bench" });
        added++;
      }
    }),
  );
  while (processed - before < added) await new Promise((resolve) => setTimeout(resolve, 1));
  console.log(((processed - before) * 1000) / (performance.now() - began));
}
await worker.close();
await queue.close();
