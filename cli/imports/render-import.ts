import type { SpreadsheetProblem } from '../../contract/imports/spreadsheet.ts';
import { maskNumbers } from '../../contract/phone/mask.ts';
import { formatCount } from '../../functions/base/basics.ts';
import type { View } from '../output/print.ts';
import { sanitize } from '../text/sanitize.ts';
import { renderTable } from '../text/table.ts';
import { type ChunkOptions, type DoubtKind, outcomes, type RowOutcome } from './import-chunk.ts';
import { maxProblems, type Tally } from './import-progress.ts';
import { type ImportFile, quotesAdvice } from './read-rows.ts';
import type { Survey } from './survey.ts';

/** A file whose rows were imported, or only counted. */
export interface ImportedFile {
  readonly file: string;
  readonly survey: Survey;
  /** The columns that the mapping names and the file does not have. */
  readonly missing: ImportFile['missing'];
  readonly tally: Tally;
  /** The path of the rejected rows, if there are any. */
  readonly rejectedFile?: string;
}

type ImportWishes = Pick<ChunkOptions, 'publishes' | 'recordsOptOuts' | 'isDryRun'>;

const meanings: Readonly<Record<RowOutcome, string>> = {
  new: 'the history did not have the message or the reply',
  changed: 'the history had it without this report or text',
  known: 'the history had it',
  leftOut: 'left out by "only" of the mapping',
  tooOld: 'older than the history is kept, and left out',
  rejected: 'could not be read or stored',
};

/** What an import shows about doubtful values: the rows, and what to check. */
const doubtTexts: Readonly<Record<DoubtKind, (rows: string) => string>> = {
  'no-recipient': (rows) => `${rows} without a recipient`,
  'recipient-is-no-number': (rows) =>
    `${rows} with a recipient that is not a phone number. It is kept as it is written, and no number finds it`,
  'recipient-may-be-two-numbers': (rows) =>
    `${rows} with a recipient that may be two numbers. It is kept as it is written. Set "numbers" and "defaultCountry" in the mapping`,
  'price-unread': (rows) =>
    `${rows} with a price that cannot be read, such as one with a decimal comma or without a currency. It is kept as it is written, and counts as no price`,
  'id-may-be-rounded': (rows) =>
    `${rows} with a message id of more than 15 digits that ends in zeros after the 15th. If a spreadsheet saved the file, it has rounded these ids`,
  'text-may-hold-rows': (rows) =>
    `${rows} with a text of several lines, of which one has as many separators as the header. If it is another row, a quote before it has swallowed it. ${quotesAdvice}`,
  'stray-quote': (rows) =>
    `${rows} with a quote that neither is around a text nor is written twice within one. Their fields may begin and end elsewhere. ${quotesAdvice}`,
  'id-of-another-number': (rows) =>
    `${rows} with the id of a message or a reply that also has another number. A message has one recipient and a reply one sender, so the ids are probably wrong`,
  'sender-is-no-number': (rows) =>
    `${rows} with a sender that is not a phone number. It is kept as it is written, and no number finds it`,
  'sender-may-be-two-numbers': (rows) =>
    `${rows} with a sender that may be two numbers. It is kept as it is written. Set "numbers" and "defaultCountry" in the mapping`,
  'time-without-zone': (rows) =>
    `${rows} with a time that has no zone. It is read as UTC. If it is of another zone, set "timeZone" in the mapping`,
  'time-ahead': (rows) =>
    `${rows} with a time that is ahead of the clock. Its zone is probably wrong: set "timeZone" in the mapping. An opt-out in such a row counts now at the latest, and an opt-in as early as it may have been`,
  'opt-in-not-recorded': (rows) =>
    `${rows} with an opt-in such as START. It is not recorded, because in CSV a text with a line break may have become rows of other people. JSON lines record it`,
};

/** What a spreadsheet has made of values. The file has to be exported again. */
const spreadsheetTexts: Readonly<Record<SpreadsheetProblem, string>> = {
  'scientific-notation': 'a number or an id such as 1.2E+10. Its digits are lost.',
  'number-with-decimals': 'a number or a code such as 12025550143.0.',
  'spreadsheet-formula': 'a number or an id such as ="12025550143".',
  'spreadsheet-error': 'a number or an id such as #NAME?. Its value is lost.',
};

/** Why a row is rejected that a quote has probably made of several. */
const joined: ReadonlySet<string> = new Set([
  'quote-not-closed',
  'rows-within-text',
  'wrong-number-of-fields',
]);

function adviceFor({ reasons, problems, outcomes: { rejected }, rejectedLines }: Tally): string[] {
  const found = Object.entries(spreadsheetTexts).flatMap(([reason, text]) => {
    const rows = reasons[reason];
    return rows === undefined ? [] : [`${formatCount(rows, 'row has', 'rows have')} ${text}`];
  });
  const areJoined = problems.some(({ reason, firstLine }) => firstLine !== undefined && joined.has(reason));
  const ofLines = [
    ...(rejectedLines > rejected
      ? [`The rejected rows are ${formatCount(rejectedLines, 'line', 'lines')} of the file.`]
      : []),
    ...(areJoined
      ? [
          `A quote has joined lines that are probably several rows, and none of them is imported. ${quotesAdvice}. Otherwise close the quote, or write a quote within a text twice.`,
        ]
      : []),
  ];
  return found.length === 0
    ? ofLines
    : [
        ...ofLines,
        ...found,
        'A spreadsheet has changed these values. Export the file again, and import it without opening it in a spreadsheet, or format the columns as text before they are filled.',
      ];
}

/** How many rejected rows are shown to people. */
const maxShownProblems = 5;

/** Shows what the rows of a file became, what is doubtful, and what to do. */
export function renderImportedFile(
  { file, survey, tally, missing, rejectedFile }: ImportedFile,
  plan: ImportWishes,
  view: View,
): string {
  const { rows, words, problems, doubts, optOuts, optIns } = tally;
  const counts = outcomes
    .filter((outcome) => tally.outcomes[outcome] > 0)
    .map((outcome) => [
      { text: outcome === 'leftOut' ? 'left out' : outcome === 'tooOld' ? 'too old' : outcome },
      { text: String(tally.outcomes[outcome]) },
      { text: meanings[outcome] },
    ]);
  const found = words.map(({ word, status, isKnown, rows: inRows }) => [
    { text: maskNumbers(sanitize(word)) },
    isKnown ? { text: sanitize(status) } : { text: 'unknown word', format: 'yellow' as const },
    { text: String(inRows) },
  ]);
  const unknown = words.filter(({ isKnown }) => !isKnown).length;
  const { rejected } = tally.outcomes;
  return [
    `${sanitize(file)}: ${formatCount(rows, 'row', 'rows')}`,
    ...(counts.length === 0
      ? []
      : [renderTable([{ title: 'OUTCOME' }, { title: 'ROWS' }, { title: '' }], counts, view)]),
    ...(found.length === 0
      ? []
      : [renderTable([{ title: 'STATUS' }, { title: 'BECOMES' }, { title: 'ROWS' }], found, view)]),
    [
      ...problems
        .slice(0, maxShownProblems)
        .map(
          ({ line, firstLine, reason, field }) =>
            `${firstLine === undefined ? `Line ${line}` : `Lines ${firstLine} to ${line}`}: ${reason}${field === undefined ? '' : ` (${field})`}`,
        ),
      ...(rejected > maxShownProblems
        ? [
            `And ${rejected - maxShownProblems} more. --json lists ${rejected > maxProblems ? `the first ${maxProblems}` : 'all of them'}.`,
          ]
        : []),
      ...adviceFor(tally),
      ...missing.map(
        ({ column, field }) =>
          `The file has no column "${sanitize(column)}", which "${field}" of the mapping names.`,
      ),
      ...doubts.map(
        ({ kind, rows: count, line }) =>
          `${doubtTexts[kind](formatCount(count, 'row', 'rows'))}. The first ends in line ${line}.`,
      ),
      ...(rejectedFile === undefined
        ? []
        : [
            `All rejected rows are in ${sanitize(rejectedFile)}, with their content. Delete it when it is no longer needed.`,
          ]),
      ...(unknown > 0
        ? [
            `Add ${formatCount(unknown, 'unknown word', 'unknown words')} to "statuses" of the mapping. Until then their messages stay open.`,
          ]
        : []),
      ...wishSentence(optOuts, 'opted out', plan),
      ...wishSentence(optIns, 'opted in again', plan),
      ...(tally.outcomes.changed > 0 && !plan.publishes ? [unpublishedChanges(tally, plan)] : []),
      plan.isDryRun
        ? 'Nothing was written: this was a dry run.'
        : `The import is complete. To remove it again: sms message import --undo ${survey.importId}`,
    ].join('\n'),
  ].join('\n\n');
}

/** Says how many rows have a wish, and whether the import records it. */
function wishSentence(rows: number, wish: string, { recordsOptOuts }: ImportWishes): string[] {
  if (rows === 0) return [];
  return [
    `${formatCount(rows, 'row says', 'rows say')} that the number ${wish}. ${recordsOptOuts ? 'That is recorded.' : '--opt-outs records that.'}`,
  ];
}

/** Says that the bus and the history differ after rows that changed messages without an event. */
function unpublishedChanges({ outcomes: { changed } }: Tally, { isDryRun }: ImportWishes): string {
  return isDryRun
    ? `${formatCount(changed, 'row changes', 'rows change')} what the history had, and no event on the bus says so. --publish publishes new and changed rows.`
    : `${formatCount(changed, 'row', 'rows')} changed what the history had, and no event on the bus says so: subscribers may still have the earlier state. To publish it, undo this import, and import the file again with --publish.`;
}
