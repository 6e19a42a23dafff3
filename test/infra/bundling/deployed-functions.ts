import { join } from 'node:path';
import { type BuildFunctionsOptions, buildFunctions } from '../../../lib/bundling/build-functions.ts';
import { type FunctionSources, functionNames, writeFunction } from '../../../lib/bundling/function-code.ts';

/**
 * Builds the functions, and puts beside each what it loads when it is deployed.
 *
 * @returns folder with a folder a function
 */
export async function deployedFunctions({
  contract,
  keywords,
  ...options
}: BuildFunctionsOptions & Omit<FunctionSources, 'built'>): Promise<string> {
  const built = await buildFunctions(options);
  const folder = join(options.outdir, 'functions');
  for (const name of functionNames) {
    writeFunction(join(folder, name), name, { built, contract, keywords });
  }
  return folder;
}
