import { ForeignFileError, readRegularFile } from '../../contract/document/own-file-store.ts';
import { whyNoJson } from '../../contract/text/json.ts';
import { parseKeywords } from '../../functions/history/index.ts';
import type { KeywordList } from '../../functions/history/shapes.ts';
import standard from '../../keywords.json' with { type: 'json' };

/** Thrown if the keywords file is missing, is not JSON or breaks a rule; the message names the file and the problem. */
class KeywordsFileError extends Error {
  override readonly name = 'KeywordsFileError';
}

/** Returns the keywords of the package. */
export function standardKeywords(): KeywordList {
  return validKeywords(standard, 'keywords.json');
}

/**
 * Reads and validates the keywords.
 *
 * @param path the file, as the user wrote it
 * @param namedBy what names the file, for messages
 * @throws KeywordsFileError naming every wrong path and the expected value
 */
export function readKeywordsFile(path: string, namedBy: string): KeywordList {
  return validKeywords(readJson(path, namedBy), path);
}

/**
 * Validates keywords.
 *
 * @param name how messages call them
 * @throws KeywordsFileError naming every wrong path and the expected value
 */
export function validKeywords(json: unknown, name: string): KeywordList {
  const parsed = parseKeywords(json);
  if (parsed.kind === 'ok') return parsed.value;
  const rules =
    'docs/guides/automations/opt-out.md, "The keywords", has the rules, schemas/keywords.schema.json helps an editor';
  throw new KeywordsFileError(
    [`${name}: The keywords are not valid (${rules}):`, ...parsed.problems].join('\n  '),
  );
}

function readJson(path: string, namedBy: string): unknown {
  try {
    return JSON.parse(readRegularFile(path));
  } catch (error) {
    if (error instanceof ForeignFileError)
      throw new KeywordsFileError(`${error.message}; ${namedBy} names this file`);
    throw new KeywordsFileError(`${path}: ${keywordsFileProblem(error, namedBy)}`);
  }
}

function keywordsFileProblem(error: unknown, namedBy: string): string {
  if (error instanceof SyntaxError) return `expected JSON: ${whyNoJson(error)}`;
  if (error instanceof Error && 'code' in error)
    return `cannot be read (${error.code}); ${namedBy} names this file`;
  throw error;
}
