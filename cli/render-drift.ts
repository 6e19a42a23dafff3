import type { RepeatedNovelty } from '../functions/core/drift/drift-summary.ts';
import type { Novelty } from '../functions/core/drift/novelty.ts';
import type { View } from './print.ts';
import { sanitize } from './text/sanitize.ts';
import { renderTable } from './text/table.ts';

const advice: Readonly<Record<Novelty['kind'], string>> = {
  status: 'Say what the word means under "statuses" of the contract.',
  kind: 'Let "events.kind" give sms.status or sms.reply for it, or switch such events off at the service.',
  'field-missing':
    'Mend the expression where the service moved the field; where it may be missing, add a sample without it.',
  format: 'Mend the contract where the service writes it in another way; where both are right, add a sample.',
};

/** Novelties for people: a table, the shape of an event for each, and what to do. @param since the first day, yyyy-mm-dd */
export function renderDrift(novelties: readonly RepeatedNovelty[], since: string, view: View): string {
  if (novelties.length === 0)
    return `No event since ${since} (UTC) differs from the contract and its samples.`;
  const { length } = novelties;
  const title = view.style(
    'bold',
    `Events differ from the contract in ${length} ${length === 1 ? 'way' : 'ways'} since ${since} (UTC)`,
  );
  const table = renderTable(
    [
      { title: '' },
      { title: 'LAST SEEN' },
      { title: 'DAYS' },
      { title: 'FIELD', maximum: 32 },
      { title: 'EXPECTED', maximum: 24 },
      { title: 'CAME' },
    ],
    novelties.map(({ days, field, expected, found, word }, index) => [
      { text: `${index + 1}` },
      { text: days[0] ?? '' },
      { text: `${days.length}` },
      { text: sanitize(field) },
      { text: sanitize(expected) },
      { text: word === undefined ? sanitize(found) : `"${sanitize(word)}"`, format: 'yellow' },
    ]),
    view,
  );
  const shapes = novelties.map(({ shape }, index) => `${index + 1}  ${sanitize(shape)}`);
  // A later version may know more kinds.
  const steps = [...new Set(novelties.flatMap(({ kind }) => advice[kind] ?? []))];
  return [
    title,
    table,
    [view.style('dim', 'The keys of one event each, with the types of their values:'), ...shapes].join('\n'),
    steps.map((step) => view.style('dim', `→ ${step}`)).join('\n'),
  ].join('\n\n');
}
