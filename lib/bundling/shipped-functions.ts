import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { packageFolder } from '../../contract/document/package-store.ts';
import type { BuiltFunctions } from './function-code.ts';

/** All functions are in one file, because each contains the same SDK, which compression then keeps once. */
const fileName = 'functions.json.br';

/** Writes the functions into the folder `dist` of the package. */
export function shipFunctions(dist: string, built: BuiltFunctions): void {
  const params = {
    // One level more saves a tenth, and takes ten times as long.
    [constants.BROTLI_PARAM_QUALITY]: 9,
    // 16 MB: all functions.
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  };
  writeFileSync(join(dist, fileName), brotliCompressSync(JSON.stringify(built), { params }));
}

/**
 * Returns the functions that the package was shipped with.
 *
 * @throws Error in a clone of the repository if they were not built yet
 */
export function shippedFunctions(): BuiltFunctions {
  const file = join(packageFolder, 'dist', fileName);
  if (!existsSync(file))
    throw new Error(`${file} is missing: run "npm run build" in the clone of the repository.`);
  return JSON.parse(brotliDecompressSync(readFileSync(file)).toString());
}
