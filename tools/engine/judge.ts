import { createHash } from 'node:crypto';
import { detailTypes } from '../../functions/publish/shapes.ts';
import type { Found } from './found.ts';
import { cellOf, type Entry, type Ledger } from './ledger.ts';
import { contentOfReport, type Fact, factKey, type Published, type PublishedFact } from './published.ts';
import { defaultRecipient, meaningOf, stateOf } from './reports.ts';

/** The stored data and the published events of an idle pipeline. */
export interface Evidence {
  readonly found: Found;
  readonly published: Published;
  /** Phone numbers of the contacts at the service. */
  readonly contacts: ReadonlySet<string>;
  /** The number of messages left in queues, by the queue. */
  readonly waiting: ReadonlyMap<string, number>;
  /** The names of logs and outputs that show a secret. */
  readonly leaks: readonly string[];
}

/** The promises that differ between scenarios. */
export interface Promises {
  /** What the pipeline publishes of each message: reports and changes of its status, or only the changes. */
  readonly published: 'reports and changes' | 'changes';
  /** Whether an answer of 401 to a genuine report is the documented limit of a rotation. */
  readonly mayReject?: (entry: Entry) => boolean;
}

/** A broken promise. */
export interface Broken {
  /** The cell that it belongs to; undefined if it is unknown. */
  readonly cell: string | undefined;
  readonly what: string;
}

/**
 * Compares an idle pipeline with the requests that were sent to it. Each acknowledged event is stored once and published under one id with one
 * content. No genuine event is rejected, no forged or unexpected event is stored, no message is left in a queue or abandoned, and no output
 * shows a secret.
 */
export function judge(ledger: Ledger, evidence: Evidence, promises: Promises): Broken[] {
  const { found, published, contacts, waiting, leaks } = evidence;
  return [
    ...brokenReports(ledger, found, promises),
    ...brokenForgeries(ledger, found),
    ...brokenReplies(ledger, found, contacts),
    ...brokenQuarantine(ledger, found),
    ...brokenSetAside(ledger, found),
    ...strangers(ledger, found),
    ...brokenPublishing(ledger, found, published, promises),
    ...[...waiting].map(([queue, count]) => nowhere(`${count} in the queue ${queue}`)),
    ...leaks.map((place) => nowhere(`a secret stands in the output of ${place}`)),
  ];
}

const nowhere = (what: string): Broken => ({ cell: undefined, what });
const about = (id: string, what: string): Broken => ({ cell: cellOf(id), what: `${id} ${what}` });

function brokenReports(ledger: Ledger, found: Found, { mayReject }: Promises): Broken[] {
  return [...byMessage(ledger)].flatMap(([messageId, entries]) => {
    const message = found.history.get(messageId);
    const broken: string[] = [];
    for (const entry of entries) {
      const { answer, report, result } = entry;
      const times = timesStored(entry, found);
      if (answer === 'acknowledged' && times !== 1)
        broken.push(`was acknowledged as ${report.status} and is ${times} times in history`);
      if (answer === 'unknown' && times > 1) broken.push(`is ${times} times in history as ${report.status}`);
      if (answer === 'rejected' && times > 0)
        broken.push(`was rejected as ${report.status} and is in history`);
      if (answer === 'rejected' && !(result === 401 && mayReject?.(entry)))
        broken.push(`is genuine and was answered with ${result}`);
    }
    if (message !== undefined) {
      const stored = entries.filter((entry) => timesStored(entry, found) > 0);
      const state = stateOf(stored.map(({ report }) => report));
      if (message.status !== state) broken.push(`is ${message.status}, not ${state}`);
      if (message.count !== message.reports.size)
        broken.push(`counts ${message.count} reports and has ${message.reports.size}`);
      const known = stored.reduce((sum, entry) => sum + timesStored(entry, found), 0);
      if (known !== message.reports.size)
        broken.push(`has ${message.reports.size} reports in history, and ${known} of them were sent`);
    }
    return broken.map((what) => about(messageId, what));
  });
}

function byMessage(ledger: Ledger): Map<string, Entry[]> {
  return Map.groupBy(ledger.reports.values(), ({ report }) => report.messageId);
}

function timesStored({ report }: Entry, { history }: Found): number {
  const stored = history.get(report.messageId)?.reports;
  if (stored === undefined) return 0;
  if (report.eventId !== undefined) return stored.get(report.eventId) === report.status ? 1 : 0;
  return [...stored.values()].filter((status) => status === report.status).length;
}

function brokenForgeries({ forged }: Ledger, { history, quarantine }: Found): Broken[] {
  return [...forged].flatMap(([id, { answer, result }]) => {
    const reasons = quarantine.get(id) ?? [];
    const broken: string[] = [];
    if (history.has(id)) broken.push('is forged, and in history');
    if (answer === 'rejected' && result !== 401) broken.push(`is forged, and was answered with ${result}`);
    const isRight =
      answer === 'unknown' ? reasons.length <= 1 : reasons.length === (answer === 'acknowledged' ? 1 : 0);
    if (!isRight)
      broken.push(`is forged, answered with ${result}, and ${reasons.length} times in quarantine`);
    for (const reason of reasons)
      if (reason !== 'signature-mismatch') broken.push(`is forged, and in quarantine for ${reason}`);
    return broken.map((what) => about(id, what));
  });
}

function brokenReplies(ledger: Ledger, found: Found, contacts: ReadonlySet<string>): Broken[] {
  const broken: Broken[] = [];
  for (const [id, { number, isStop }] of ledger.replies) {
    const versions = found.replies.get(id) ?? 0;
    if (versions !== 1) broken.push(about(id, `is ${versions} times in history`));
    if (isStop && !found.optedOut.has(number)) broken.push(about(id, 'is not in the register'));
    if (!contacts.has(number)) broken.push(about(id, 'did not create a contact at the service'));
  }
  return broken;
}

/** Only unreadable bodies are in quarantine, and reports that were not acknowledged: their answer was lost, or the secret was another one. */
function brokenQuarantine(ledger: Ledger, { quarantine }: Found): Broken[] {
  const messages = byMessage(ledger);
  return [
    ...[...ledger.unreadable]
      .filter((id) => quarantine.get(id)?.length !== 1)
      .map((id) => about(id, `is ${quarantine.get(id)?.length ?? 0} times in quarantine`)),
    ...[...quarantine].flatMap(([id, { length }]) => {
      if (ledger.forged.has(id) || ledger.unreadable.has(id)) return [];
      const unacknowledged = messages.get(id)?.filter(({ answer }) => answer !== 'acknowledged');
      return length > (unacknowledged?.length ?? 0) ? [about(id, 'is in quarantine')] : [];
    }),
  ];
}

/** Checks that the publisher and the opt-outs have set aside exactly what they cannot read. */
function brokenSetAside({ strayItems, noEvents }: Ledger, { unpublished, givenUp }: Found): Broken[] {
  const ids = unpublished.map((key) => key.replace('message#', ''));
  return [
    ...[...strayItems]
      .filter((id) => !ids.includes(id))
      .map((id) => about(id, 'was not set aside by the publisher')),
    ...ids.filter((id) => !strayItems.has(id)).map((id) => about(id, 'could not be published')),
    ...[...noEvents]
      .filter((id) => !givenUp.includes(id))
      .map((id) => about(id, 'is not in the dead letter queue of the opt-outs')),
    ...givenUp.filter((body) => !noEvents.has(body)).map(() => nowhere('an opt-out was given up')),
  ];
}

/** Returns stored data that was never sent. */
function strangers(ledger: Ledger, { history, replies, optedOut }: Found): Broken[] {
  const sent = new Set([...byMessage(ledger).keys(), ...ledger.strayItems, ...ledger.forged.keys()]);
  const stopped = new Set(
    [...ledger.replies.values()].filter(({ isStop }) => isStop).map(({ number }) => number),
  );
  return [
    ...[...history.keys()].filter((id) => !sent.has(id)),
    ...[...replies.keys()].filter((id) => !ledger.replies.has(id)),
  ]
    .map((id) => about(id, 'is in history and was never sent'))
    .concat(
      [...optedOut]
        .filter((number) => !stopped.has(number))
        .map(() => nowhere('a number is in the register that never said STOP')),
    );
}

interface ExpectedFact extends Fact {
  /** Whether it must be published. The publisher may skip a status that another one replaced before the publisher read it. */
  readonly isMust: boolean;
  /** The contents that its events may have. */
  readonly contents: readonly string[];
  /** The id that consumers compute from the parts of the fact. */
  readonly eventId?: string;
}

/** Returns facts that were not published, and published facts that were not expected, or under wrong, several or repeated ids. */
function brokenPublishing(
  ledger: Ledger,
  found: Found,
  { facts, contradictions }: Published,
  promises: Promises,
): Broken[] {
  const expected = new Map(expectedFacts(ledger, found, promises).map((fact) => [factKey(fact), fact]));
  const broken = ({ type, id }: Fact, how: string): Broken => ({
    cell: cellOf(ledger.cards.get(id) ?? ledger.degradations.get(id) ?? id),
    what: `${id} is ${how} as ${type}`,
  });
  return [
    ...[...contradictions].map((id) => nowhere(`the event ${id} was published with two contents`)),
    ...[...expected]
      .filter(([key, { isMust }]) => isMust && !facts.has(key))
      .map(([, fact]) => broken(fact, 'not published')),
    ...[...facts].flatMap(([key, fact]) => {
      const owed = expected.get(key);
      if (owed === undefined) return [broken(fact, 'published and not expected')];
      return differences(fact, owed).map((how) => broken(fact, how));
    }),
  ];
}

/** Returns the differences between a published fact and the expected one. */
function differences({ eventIds, contents }: PublishedFact, owed: ExpectedFact): string[] {
  const wrong = [...eventIds.keys()].filter((one) => owed.eventId !== undefined && one !== owed.eventId);
  return [
    ...(eventIds.size === 1 ? [] : [`published under ${eventIds.size} event ids`]),
    ...wrong.map((one) => `published under the event id ${one}, not ${owed.eventId},`),
    ...[...contents]
      .filter((one) => !owed.contents.includes(one))
      .map((one) => `published as "${one}", not as "${owed.contents.join('" or "')}",`),
  ];
}

function expectedFacts(ledger: Ledger, found: Found, { published }: Promises): ExpectedFact[] {
  const owed = (type: string, id: string, content: string): ExpectedFact => {
    return { type, id, about: id, isMust: true, contents: [content] };
  };
  const ofMessages = [...byMessage(ledger)].flatMap(([id, entries]) => {
    const message = found.history.get(id);
    const statuses = new Set(entries.map(({ report }) => report.status));
    const to = entries[0]?.report.to ?? defaultRecipient;
    const stored = [...(message?.reports ?? [])].map(([one, status]) => {
      return { one, status, content: contentOfReport(one, status, to) };
    });
    const reports = published === 'changes' ? [] : stored;
    return [
      ...reports.map(({ one, content }) => ({
        type: detailTypes.deliveryEvent,
        id,
        about: `${id} ${one}`,
        isMust: true,
        contents: [content],
        eventId: reportEventId(id, one),
      })),
      ...[...statuses].map((status) => ({
        type: detailTypes.statusChanged,
        id,
        about: `${id} ${status}`,
        isMust: status === message?.status,
        contents: stored
          .filter((report) => report.status === status)
          .map(({ content }) => `${content}, ${meaningOf(status)}`),
      })),
    ];
  });
  return [
    ...ofMessages,
    ...[...ledger.replies].flatMap(([id, { number, isStop }]) => [
      owed(detailTypes.replyReceived, id, number),
      ...(isStop ? [owed(detailTypes.optOut, id, number)] : []),
    ]),
    ...[...ledger.cards.keys()].map((card) => owed(detailTypes.cardExpiring, card, 'expired')),
    ...[...ledger.degradations.keys()].map((eventId) => owed(detailTypes.deliveryDegraded, eventId, '')),
  ];
}

/** Computes the id of a report's event. It repeats the rule of the pipeline, because consumers rely on the parts of the id. */
export function reportEventId(messageId: string, eventId: string): string {
  const parts = JSON.stringify(['report', messageId, eventId]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}
