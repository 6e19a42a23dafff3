import { readFileSync } from 'node:fs';
import { createKeywords, parseKeywords } from '../../functions/history/index.ts';

/** The keywords the repository ships with, unread. */
export const shippedKeywordFile: unknown = JSON.parse(
  readFileSync(new URL('../../keywords.json', import.meta.url), 'utf8'),
);

const parsed = parseKeywords(shippedKeywordFile);
if (parsed.kind === 'error') throw new Error(parsed.problems.join('\n'));

export const shippedKeywords = parsed.value;
export const keywordOf = createKeywords(shippedKeywords);
