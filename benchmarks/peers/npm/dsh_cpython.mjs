// The reference's CPython runtime, published as an experiment.
import { Context } from "@deepseek-ai/cordis";
import { PythonPtcRuntime } from "@deepseek-ai/dsh-experimental-ptc-runtime-python";

export const open = async (functions, pythonBin) => {
  const context = new Context();
  await context.plugin(PythonPtcRuntime, { pythonBin });
  const bindings = [{ global: "tools", functions }];
  return async (program) => {
    const spec = context.ptcRuntime.resolve({ program, bindings });
    const { value, error } = await context.ptcRuntime.run(spec);
    if (error) throw new Error(`${error.kind}: ${error.message}`);
    return value;
  };
};
