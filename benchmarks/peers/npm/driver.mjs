// Runs programs for `npm_runtimes.py`: a line of JSON in, `{value, seconds}` or `{error}` out.
import { createInterface } from "node:readline";

const [, , script, python] = process.argv;
const { open } = await import(`./${script}`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const rows = JSON.parse((await lines.next()).value);
const run = await open({ echo: async ({ text }) => text, table: async () => rows }, python);

for await (const line of lines) {
  const program = JSON.parse(line);
  const began = performance.now();
  const answer = {};
  try {
    answer.value = await run(program);
    answer.seconds = (performance.now() - began) / 1000;
  } catch (error) {
    answer.error = String(error);
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
process.exit(0);
