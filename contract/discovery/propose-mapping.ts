import { checkSamples } from '../document/parse.ts';
import { compileExpression } from '../events/body.ts';
import { contentId as hashOf } from '../events/identity.ts';
import type { Contract } from '../schema/contract-schema.ts';
import { applyProposals } from './apply-proposals.ts';
import type { ParsedBodies } from './captured/capture.ts';
import { columnsOf } from './captured/columns.ts';
import { proposeReplyFields, proposeStatusFields } from './event-fields.ts';
import { proposeEventId } from './event-id.ts';
import { classifyEvent, type Kind, proposeKind } from './event-kind.ts';
import { type FoundEvent, findEventList } from './event-list.ts';
import type { Proposal } from './proposal.ts';
import { guessReason, guessStatus, isVocabulary } from './words.ts';

/** What an expression finds in an event; nothing where it fails on one, as what a person wrote may. */
export function lookUp(expression: string): (event: unknown) => unknown {
  const evaluate = compileExpression(expression);
  return (event) => {
    try {
      return evaluate(event);
    } catch {
      return undefined;
    }
  };
}

type Sample = Contract['samples'][number];

/** The samples of one kind that a contract still reads as they say. */
export function samplesThatHold(contract: Contract, kind: Kind): Sample[] {
  return contract.samples.filter(
    (sample) =>
      sample.becomes?.every((event) => event.kind === kind) === true &&
      checkSamples({ ...contract, samples: [sample] }).length === 0,
  );
}

/** The fields of a kind as the contract has them, for a kind that was not captured. */
function keptFields(contract: Contract, kind: Kind): Proposal[] {
  const name = kind === 'sms.status' ? 'status' : 'reply';
  return Object.entries<string | null>(contract.events[name]).map(([field, value]) =>
    unseen(`events.${name}.${field}`, value, kind, 'kept from the contract, whose samples hold'),
  );
}

/**
 * What the fields of a kind that was not captured may be called, by those of the other.
 *
 * @param seen the fields of the other kind
 */
function analogousFields(seen: ReadonlyMap<string, string | null | undefined>, kind: Kind): Proposal[] {
  const path = (key: string) => seen.get(key)?.split(' || ')[0];
  const add = (key: string, value: string | null) => unseen(key, value, kind, 'by analogy');
  if (kind === 'sms.reply') {
    const at = (field: string) => path(`events.status.${field}`);
    const to = at('recipient') ?? at('messageId') ?? 'to';
    // "To" has "From" beside it; any other name is the person's in both kinds.
    const isTo = /(?:^|[."])(?:to|recipient|dest\w*|receiver)"?$/i.test(to);
    return [
      add('events.reply.replyId', at('messageId') ?? null),
      add('events.reply.messageId', null),
      add('events.reply.from', isTo || at('recipient') === undefined ? beside(to, 'from') : to),
      add('events.reply.to', isTo ? to : null),
      add('events.reply.text', beside(to, 'text')),
      add('events.reply.occurredAt', at('occurredAt') ?? null),
    ];
  }
  const at = (field: string) => path(`events.reply.${field}`);
  const from = at('from') ?? 'from';
  return [
    add('events.status.messageId', at('messageId') ?? at('replyId') ?? beside(from, 'id')),
    add('events.status.sendId', null),
    add('events.status.recipient', at('to') ?? null),
    add('events.status.status', beside(from, 'status')),
    add('events.status.occurredAt', at('occurredAt') ?? null),
    add('events.status.errorCode', null),
    add('events.status.errorText', null),
  ];
}

function unseen(key: string, value: string | null, kind: Kind, why: string): Proposal {
  const what = kind === 'sms.reply' ? 'no reply was captured' : 'no delivery report was captured';
  return { key, value, isCertain: false, rivals: [], note: `${what}: ${why}` };
}

/** The path of a field next to another, in its letter case. */
function beside(path: string, name: string): string {
  const [, holder = '', last = ''] = /^(.*\.)?([^.]+)$/.exec(path) ?? [];
  return `${holder}${/^"?[A-Z]/.test(last) ? `${name[0]?.toUpperCase()}${name.slice(1)}` : name}`;
}

/** What bodies show of the mapping. */
export interface MappingProposal {
  readonly proposals: readonly Proposal[];
  /** All events that were found, those that are neither kind included. */
  readonly events: readonly (FoundEvent & { readonly kind: Kind | undefined })[];
}

/**
 * Proposes where things are in captured bodies: all of `webhook.bodyFormat` and `events`, but not the words of `statuses`.
 *
 * @param contract what is not seen in the bodies stays as it says, where that may hold
 */
export function proposeMapping(
  { format, isCertain, bodies }: ParsedBodies,
  contract: Contract,
): MappingProposal {
  const list = findEventList(bodies.map(({ value }) => value));
  const events = list.events.map((event) => ({ ...event, kind: classifyEvent(event.value) }));
  const known = events.flatMap(({ kind, ...event }) => (kind === undefined ? [] : [{ ...event, kind }]));
  if (known.length === 0) return { proposals: [], events };
  const reports = known.filter(({ kind }) => kind === 'sms.status').map(({ value }) => value);
  const replies = known.filter(({ kind }) => kind === 'sms.reply').map(({ value }) => value);

  const ofReports = proposeStatusFields(columnsOf(reports));
  const sentIds = new Set(valuesAt(reports, proposed(ofReports.proposals, 'events.status.messageId')));
  const people = new Set(valuesAt(reports, proposed(ofReports.proposals, 'events.status.recipient')));
  const ofReplies = proposeReplyFields(columnsOf(replies), sentIds, ofReports, people);
  const columns = columnsOf(known.map(({ value }) => value));
  const path = (proposals: readonly Proposal[], key: string) => proposed(proposals, key) ?? undefined;
  const base: Proposal[] = [
    plain('webhook.bodyFormat', format, isCertain),
    plain('events.list', list.expression, list.isCertain),
    proposeKind({
      columns,
      kinds: known.map(({ kind }) => kind),
      statusPath: path(ofReports.proposals, 'events.status.status'),
      textPath: path(ofReplies.proposals, 'events.reply.text'),
    }),
    plain(
      'events.timeFormat',
      ofReports.time.format ?? ofReplies.time.format ?? contract.events.timeFormat,
      true,
    ),
  ];
  const seen = [
    ...(reports.length > 0 ? ofReports.proposals : []),
    ...(replies.length > 0 ? ofReplies.proposals : []),
  ];
  const fields = [
    ...(reports.length > 0 ? ofReports.proposals : absent('sms.status')),
    ...(replies.length > 0 ? ofReplies.proposals : absent('sms.reply')),
  ];
  const id = proposeEventId({
    columns,
    taken: new Set(
      [
        'events.status.messageId',
        'events.status.sendId',
        'events.reply.replyId',
        'events.reply.messageId',
      ].flatMap((key) => proposed(fields, key)?.split(' || ') ?? []),
    ),
    signed: bodies.flatMap(({ captured: { signedId, bytes } }) =>
      signedId === undefined ? [] : [{ id: signedId, body: Buffer.from(bytes).toString('latin1') }],
    ),
    contents: known.map(({ value }) => hashOf(value)),
  });
  return { proposals: [...base, id, ...fields], events };

  function absent(kind: Kind): Proposal[] {
    const kept = keptFields(contract, kind);
    const trial = applyProposals(contract, [...base, ...seen, ...kept]);
    return samplesThatHold(trial, kind).length > 0
      ? kept
      : analogousFields(new Map(seen.map(({ key, value }) => [key, value])), kind);
  }
}

function plain(key: string, value: string, isCertain: boolean): Proposal {
  return { key, value, isCertain, rivals: [] };
}

function proposed(proposals: readonly Proposal[], wanted: string): string | null | undefined {
  return proposals.find(({ key }) => key === wanted)?.value;
}

/** What events have at a place, as text. */
function valuesAt(events: readonly unknown[], path: string | null | undefined): string[] {
  if (path === null || path === undefined) return [];
  const evaluate = lookUp(path);
  return events.flatMap((event) => {
    const value = evaluate(event);
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  });
}

/** More words than that are no statuses, and nobody could answer for each. */
const maxWords = 60;

/**
 * Proposes what the words of delivery reports mean that the contract does not list.
 *
 * @param reports events, which the contract reads as delivery reports
 */
export function proposeStatuses({ events, statuses }: Contract, reports: readonly unknown[]): Proposal[] {
  const words = new Set(valuesAt(reports, events.status.status));
  return [...words]
    .filter((word) => word.trim() !== '' && isVocabulary(word) && !Object.hasOwn(statuses, word))
    .slice(0, maxWords)
    .map((word) => {
      const guess = guessStatus(word);
      const key = `statuses.${word}`;
      return guess === undefined
        ? {
            key,
            value: null,
            isCertain: false,
            rivals: [],
            note: 'not known: it is stored as it comes, and never wins over a known one',
          }
        : { key, value: guess.status, isCertain: guess.isWhole, rivals: [] };
    });
}

/** Proposes the reason of error codes that the contract does not list, where the text beside one tells it. */
export function proposeErrors({ events, errors }: Contract, reports: readonly unknown[]): Proposal[] {
  const { errorCode, errorText } = events.status;
  if (errorCode === null) return [];
  const codeOf = lookUp(errorCode);
  const textOf = errorText === null ? undefined : lookUp(errorText);
  const reasons = new Map<string, string | null>();
  for (const report of reports) {
    const code = codeOf(report);
    if (
      (typeof code !== 'string' && typeof code !== 'number') ||
      /^0*$/.test(String(code)) ||
      !isVocabulary(String(code))
    )
      continue;
    const text = textOf?.(report);
    const reason = typeof text === 'string' ? guessReason(text) : undefined;
    reasons.set(String(code), reason ?? reasons.get(String(code)) ?? null);
  }
  return [...reasons]
    .filter(([code]) => !Object.hasOwn(errors, code))
    .slice(0, maxWords)
    .map(([code, value]) => ({
      key: `errors.${code}`,
      value,
      // Most codes say nothing, and nobody is to be asked for each.
      isCertain: value === null,
      rivals: [],
      note: value === null ? 'its meaning is not told: it gets no reason' : 'by its text',
    }));
}
