import { readRegularFile } from '../../contract/document/own-file-store.ts';
import { whyNoJson } from '../../contract/text/json.ts';
import { createKeywords, type KeywordOf, parseKeywords } from '../../functions/history/index.ts';
import shipped from '../../keywords.json' with { type: 'json' };
import { explainFileErrors, UsageError } from '../target/errors.ts';

/**
 * Reads the keywords by which opt-outs are recorded and counted, by the rules of `cdk deploy`.
 *
 * @param path undefined for the keywords of the package
 * @throws UsageError naming every wrong place of the file, CommandFailure for one that cannot be read. By a list without words, no reply
 *   would opt out
 */
export async function readKeywords(path: string | undefined): Promise<KeywordOf> {
  const parsed = parseKeywords(path === undefined ? shipped : await readJson(path));
  if (parsed.kind === 'ok') return createKeywords(parsed.value);
  throw new UsageError(
    [
      `--keywords: ${path} is not valid (docs/guides/automations/opt-out.md, "The keywords", has the rules):`,
      ...parsed.problems,
    ].join('\n  '),
  );
}

async function readJson(path: string): Promise<unknown> {
  const text = await explainFileErrors(
    (code) => `--keywords: ${path} cannot be read (${code})`,
    async () => readRegularFile(path),
  );
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`--keywords: ${path} is not JSON: ${whyNoJson(error)}.`);
  }
}
