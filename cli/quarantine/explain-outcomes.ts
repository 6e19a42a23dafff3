import type { QuarantineReason } from '../../functions/quarantine/quarantine.ts';
import type { View } from '../output/print.ts';
import { sanitize } from '../text/sanitize.ts';
import { renderTable } from '../text/table.ts';
import type { Fate, Replayed } from './replay-entry.ts';
import type { DuplicateRisk, NotReplayable } from './replayable-request.ts';

/** What each reason means, for people. */
export const reasonMeanings: Readonly<Record<QuarantineReason, string>> = {
  'empty-body': 'the request had no body',
  'not-utf8': 'the body is no text in UTF-8',
  'not-json': 'the body is no JSON',
  'too-deep': 'the body nests deeper than any event does',
  'no-events': 'the contract finds no event in the body',
  'too-many-events': 'the contract finds more events in the body than could be reports',
  'events-dropped': 'the contract finds fewer events in the body than there are',
  'unknown-kind': 'neither a delivery report nor a reply, by the contract',
  'missing-field': 'a field is missing that the contract needs',
  'bad-field': 'a field is not of the type it has to be',
  'field-too-long': 'a field is longer than any real one',
  'bad-time': 'the time cannot be read as the contract says',
  'expression-failed': 'an expression of the contract failed on the event',
  'not-an-envelope': 'the queue held something that ingest did not write',
  'signature-mismatch': 'the signature fits no secret that the SMS service has had since',
  captured: 'it would have been refused, and was captured; quarantine replay has it verified',
  'message-full': 'the message has as many reports as one takes',
  'storage-refused': 'the database refused to store it',
};

/** How many entries had each fate, by reason; the reasons in the order of the alphabet. */
type Tally = readonly { readonly reason: string; readonly fates: Readonly<Record<Fate, number>> }[];

const none = {
  ...{ sent: 0, gone: 0, failed: 0, unasked: 0 },
  ...{ unreadable: 0, unverifiable: 0, unwrappable: 0, unidentifiable: 0 },
};

/** Why an entry stays that a contract may read. */
export const whyItStays: Readonly<Record<Exclude<NotReplayable, 'unreadable'>, string>> = {
  unverifiable: 'without what its signature was made over, so nobody can verify it',
  unwrappable: "one event of a body, which the contract's events.list finds in no body of its own",
  unidentifiable:
    'its events may be stored already, under ids that the contract no longer gives: they would be stored twice',
};

const whyTwice: Readonly<Record<DuplicateRisk, string>> = {
  'body-stored':
    'the other events of this body are stored, and the rules for ids (events.list, events.id) have changed since',
  'id-changed':
    'its id comes from its place or its content, and the rules for ids (events.list, events.id) have changed since',
  'id-may-have-changed':
    'its id may come from its place or its content, and it was kept under another contract by a version that did not note the rules for ids',
};

/** Names the entries that stay because their events may be stored twice, and what to do about them. */
export function renderRisky(replayed: readonly Replayed[]): string {
  const lines = replayed.flatMap(({ risky, reason = 'unknown' }) =>
    risky === undefined ? [] : [`  ${sanitize(risky.id)}  ${reason}: ${whyTwice[risky.risk]}`],
  );
  if (lines.length === 0) return '';
  return [
    'May be stored twice:',
    ...lines,
    'history message and history phone show what is stored. --accept-duplicates sends these entries as well.',
  ].join('\n');
}

/** What is said of those that were not sent. */
const whyNot: readonly (readonly [Fate, string])[] = [
  ['unreadable', 'not readable by the contract still: --contract has to name the one that is deployed'],
  ['unverifiable', whyItStays.unverifiable],
  ['unwrappable', whyItStays.unwrappable],
  ['unidentifiable', whyItStays.unidentifiable],
  ['unasked', 'a signature that did not fit; give --reason signature-mismatch to have it verified once more'],
  ['gone', 'in quarantine no more'],
  ['failed', 'could not be read, sent or removed'],
];

export function tallyOf(replayed: readonly Replayed[]): Tally {
  const tally = new Map<string, Record<Fate, number>>();
  for (const { reason = 'unknown', fate } of replayed) {
    const fates = tally.get(reason) ?? { ...none };
    fates[fate] += 1;
    tally.set(reason, fates);
  }
  return [...tally]
    .map(([reason, fates]) => ({ reason, fates }))
    .sort((a, b) => (a.reason < b.reason ? -1 : 1));
}

/** The counts by reason for people, and why some were not sent. */
export function renderTally(tally: Tally, dryRun: boolean, view: View): string {
  if (tally.length === 0) return 'No entry in quarantine that was asked for.';
  const total = (fate: Fate) => tally.reduce((sum, { fates }) => sum + fates[fate], 0);
  const table = renderTable(
    [{ title: 'REASON' }, { title: dryRun ? 'WOULD BE SENT' : 'SENT' }, { title: 'NOT SENT' }],
    tally.map(({ reason, fates: { sent, ...others } }) => [
      { text: sanitize(reason), format: 'yellow' },
      { text: String(sent) },
      { text: String(Object.values(others).reduce((sum, count) => sum + count, 0)) },
    ]),
    view,
  );
  const reasons = whyNot
    .filter(([fate]) => total(fate) > 0)
    .map(([fate, why]) => `Not sent, ${total(fate)}: ${why}.`);
  const end = dryRun
    ? 'Nothing was changed: that was a dry run.'
    : 'The worker takes them in a moment; what fails again is in quarantine again.';
  return [table, ...(reasons.length === 0 ? [] : [reasons.join('\n')]), view.style('dim', end)].join('\n\n');
}
