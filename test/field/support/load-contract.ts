import { fileURLToPath } from 'node:url';
import { loadContract } from '../../../contract/document/contract-file-store.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';

/** Reads a contract of a field test. @param path relative to the test @param test the URL of the test's module */
export function loadFieldContract(path: string, test: string): Contract {
  return loadContract(fileURLToPath(new URL(path, test)), { namedBy: 'the test', isServiceOptional: true });
}
