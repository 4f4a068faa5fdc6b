// A worker thread for each program, which posts its calls to the host: no check, no limit.
import { Worker } from "node:worker_threads";

const INSIDE = `
const { parentPort, workerData } = require("node:worker_threads");
const waiting = new Map();
const tools = new Proxy({}, {
  get: (_, name) => (args) => new Promise((resolve) => {
    const id = waiting.size;
    waiting.set(id, resolve);
    parentPort.postMessage({ id, name, args });
  }),
});
parentPort.on("message", ({ id, value }) => { waiting.get(id)(value); });
const program = Object.getPrototypeOf(async () => {}).constructor("tools", workerData);
program(tools).then((value) => parentPort.postMessage({ value }));
`;

export const open = async (functions) => (program) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(INSIDE, { eval: true, workerData: program });
    let value;
    worker.on("message", async (message) => {
      if ("id" in message) {
        worker.postMessage({ id: message.id, value: await functions[message.name](message.args) });
      } else {
        value = message.value;
        await worker.terminate();
      }
    });
    worker.on("error", reject);
    worker.on("exit", () => resolve(value));
  });
