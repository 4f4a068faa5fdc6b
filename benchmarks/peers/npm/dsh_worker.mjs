// The reference's worker-thread runtime, as its service runs it.
import { Context } from "@deepseek-ai/cordis";
import { WorkerThreadCodeRuntime } from "@deepseek-ai/dsh-code-runtime-worker-thread";

export const open = async (functions) => {
  const context = new Context();
  await context.plugin(WorkerThreadCodeRuntime, {});
  const bindings = [{ global: "tools", functions }];
  return async (program) => {
    const { value, error } = await context.codeRuntime.run({ program, bindings });
    if (error) throw new Error(`${error.kind}: ${error.message}`);
    return value;
  };
};
