import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../docs/adr');

export interface Decision {
  readonly file: string;
  readonly number: number;
  readonly title: string;
  readonly date: string;
  /** Numbers of the decisions that amend or replace parts of it. */
  readonly changedBy: readonly number[];
}

/** Reads a decision from its text. @throws Error if it lacks its title, or the line with its status and date */
export function readDecision(file: string, text: string): Decision {
  const [, number, title] = /^# (\d+)\. (.+)$/m.exec(text) ?? [];
  const [status = '', date] = /^Accepted, (\d{4}-\d\d-\d\d)\..*$/m.exec(text) ?? [];
  if (number === undefined || title === undefined || date === undefined)
    throw new Error(`docs/adr/${file}: expected "# <number>. <title>" and "Accepted, <yyyy-mm-dd>."`);
  const changes = status.match(/(?:Amended by \[ADR|\[ADR) \d+\]\([^)]*\)(?: replaces)?/g) ?? [];
  const changedBy = changes.filter((change) => /^Amended by|replaces$/.test(change));
  return {
    file,
    number: Number(number),
    title,
    date,
    changedBy: changedBy.map((change) => Number(/\d+/.exec(change))),
  };
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
  const linkOf = (number: number) => {
    const file = decisions.find((decision) => decision.number === number)?.file ?? '';
    return `[${number}](${file})`;
  };
  const rows = decisions.map(
    ({ number, file, title, date, changedBy }) =>
      `| ${number} | [${title}](${file}) | ${date} | ${changedBy.map(linkOf).join(', ')} |`,
  );
  return [
    '# Decisions',
    'Made by `npm run generate`; do not edit.\nAll are accepted; a later decision changes a part of those with a number in the last column.',
    ['| | decision | date | changed by |', '|---|---|---|---|', ...rows].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}
