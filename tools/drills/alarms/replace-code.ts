import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Puts other code in place of a function's: as its index.js, which Lambda takes before an index.mjs.
 *
 * @param codeDirectory of its unpacked bundle
 * @returns how to put back what was there
 */
export function replaceCode(codeDirectory: string, code: string | Buffer): () => void {
  const file = join(codeDirectory, 'index.js');
  const before = existsSync(file) ? readFileSync(file) : undefined;
  writeFileSync(file, code);
  return () => (before === undefined ? rmSync(file) : writeFileSync(file, before));
}
