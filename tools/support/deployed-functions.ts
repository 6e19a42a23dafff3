import { join } from 'node:path';
import { type BuildFunctionsOptions, buildFunctions } from '../../lib/bundling/build-functions.ts';
import { type FunctionSources, functionNames, writeFilesBeside } from '../../lib/bundling/function-code.ts';

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
  for (const name of functionNames)
    writeFilesBeside(join(built, 'functions', name), { built, contract, keywords });
  return join(built, 'functions');
}
