import { readFileSync } from 'node:fs';
import { loadContract } from '../../contract/document/contract-file-store.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import type { KeywordList } from '../../functions/opt-out/keyword.ts';
import { parseKeywords } from './keyword-list.ts';

/**
 * Reads and validates the contract, together with what it extends.
 *
 * @throws ContractFileError naming every wrong path and what was expected there
 */
export function readContractFile(path: string): Contract {
  return loadContract(path, { namedBy: 'the setting sms:contractFile' });
}

/** Thrown if the keywords file is missing, is not JSON or breaks a rule; the message names the file and the problem. */
class KeywordsFileError extends Error {
  override readonly name = 'KeywordsFileError';
}

/**
 * Reads and validates the keywords.
 *
 * @param path the file, as the user wrote it
 * @throws KeywordsFileError naming every wrong path and the expected value
 */
export function readKeywordsFile(path: string): KeywordList {
  const parsed = parseKeywords(readJson(path));
  if (parsed.kind === 'ok') return parsed.value;
  const rules = 'docs/automations/opt-out.md has the rules, keywords.schema.json helps an editor';
  throw new KeywordsFileError(
    [`${path}: The keywords are not valid (${rules}):`, ...parsed.problems].join('\n  '),
  );
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new KeywordsFileError(`${path}: ${keywordsFileProblem(error)}`);
  }
}

function keywordsFileProblem(error: unknown): string {
  if (error instanceof SyntaxError) return `expected JSON: ${error.message}`;
  if (error instanceof Error && 'code' in error)
    return `cannot be read (${error.code}); the setting sms:keywordsFile names this file`;
  throw error;
}
