import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../docs/adr');

export interface Decision {
  readonly file: string;
  readonly number: number;
  readonly title: string;
  readonly date: string;
}

/** Reads a decision from its text. @throws Error if it lacks its title, or the line with its date */
export function readDecision(file: string, text: string): Decision {
  const [, number, title] = /^# (\d+)\. (.+)$/m.exec(text) ?? [];
  const [, date] = /^Accepted, (\d{4}-\d\d-\d\d)\.$/m.exec(text) ?? [];
  if (number === undefined || title === undefined || date === undefined)
    throw new Error(`docs/adr/${file}: expected "# <number>. <title>" and "Accepted, <yyyy-mm-dd>."`);
  return { file, number: Number(number), title, date };
}

/** Reads all decisions, in their order. */
export function readDecisions(): readonly Decision[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-.+\.md$/.test(file))
    .sort()
    .map((file) => readDecision(file, readFileSync(join(folder, file), 'utf8')));
}

/** Writes docs/adr/index.md. */
export function adrIndex(decisions: readonly Decision[]): string {
  const rows = decisions.map(
    ({ number, file, title, date }) => `| ${number} | [${title}](${file}) | ${date} |`,
  );
  return [
    '# Decisions',
    'Made by `npm run generate`; do not edit.\nAll of these decisions hold. A decision that is replaced is rewritten or deleted.',
    ['| | decision | date |', '|---|---|---|', ...rows].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}
