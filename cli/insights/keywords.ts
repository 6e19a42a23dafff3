import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { createKeywords, type KeywordOf } from '../../functions/history/index.ts';
import shipped from '../../keywords.json' with { type: 'json' };
import { UsageError } from '../target/errors.ts';
import { parseJson } from '../text/format.ts';

const words = z.object({
  stop: z.array(z.string()).optional(),
  start: z.array(z.string()).optional(),
  help: z.array(z.string()).optional(),
});

const keywordsSchema = z.object({
  everywhere: words.default({}),
  countries: z.record(z.string(), words).default({}),
});

/** Reads the keywords by which opt-outs are counted. @param path undefined for the keywords of the package */
export async function readKeywords(path: string | undefined): Promise<KeywordOf> {
  const text = path === undefined ? undefined : await readText(path);
  const parsed = keywordsSchema.safeParse(text === undefined ? shipped : parseJson(text));
  if (!parsed.success)
    throw new UsageError(
      `--keywords: ${path} is not a keywords file (docs/guides/automations/opt-out.md, "The keywords").`,
    );
  const { everywhere, countries } = parsed.data;
  return createKeywords({ everywhere: listed(everywhere), countries: mapped(countries) });
}

function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--keywords: ${path} cannot be read.`, { cause: error });
  });
}

type Words = z.output<typeof words>;

/** Leaves out keywords without words. */
function listed({ stop, start, help }: Words) {
  return { ...(stop && { stop }), ...(start && { start }), ...(help && { help }) };
}

const mapped = (countries: Readonly<Record<string, Words>>) =>
  Object.fromEntries(Object.entries(countries).map(([country, one]) => [country, listed(one)]));
