import { checkSamples } from '../contract/document/parse.ts';
import { contentId as hashOf, lenientExpression } from '../contract/events/body.ts';
import { withBeside } from '../contract/events/request-values.ts';
import { type Contract, problemOfId, problemsOfReads } from '../contract/schema/contract-schema.ts';
import { requestForms } from '../contract/schema/request-form.ts';
import { timeFormats } from '../contract/text/time.ts';
import type { CharsetGuess } from './captured/body-kind.ts';
import { columnsOf, hasMoreFields, isScalar, timeFormatOf } from './captured/columns.ts';
import type { ParsedBodies } from './captured/parse-bodies.ts';
import { describedCodes } from './described-codes.ts';
import { proposeEventId } from './event-id.ts';
import { classifyEvent, type Kind, proposeKind } from './event-kind.ts';
import { type FoundEvent, findEventList } from './event-list.ts';
import { proposeNumbers } from './event-numbers.ts';
import { proposeTimeZone, type SeenTime } from './event-times.ts';
import { applyProposals, formatSeparator, type Proposal, proposal } from './proposal.ts';
import { proposeReplyFields } from './reply-fields.ts';
import { proposeStatusFields } from './status-fields.ts';
import { guessReason, guessStatus, isVocabulary, reasonOfCode } from './words.ts';
import { unwrapBodies } from './wrapped-events.ts';

type Sample = Contract['samples'][number];

/** Lists the samples of one kind that a contract still reads as expected. */
export function samplesThatHold(contract: Contract, kind: Kind): Sample[] {
  return contract.samples.filter(
    (sample) =>
      sample.becomes?.every((event) => event.kind === kind) === true &&
      checkSamples({ ...contract, samples: [sample] }).length === 0,
  );
}

/** Keeps the contract's fields of a kind that was not captured. Places without a value stay as they are, without a question. */
function keptFields(contract: Contract, kind: Kind): Proposal[] {
  const name = kind === 'sms.status' ? 'status' : 'reply';
  return Object.entries<string | null>(contract.events[name]).flatMap(([field, value]) =>
    value === null
      ? []
      : [unseen(`events.${name}.${field}`, value, kind, 'kept from the contract, whose samples hold')],
  );
}

/**
 * Guesses the fields of a kind that was not captured by those of the other kind.
 *
 * @param seen the fields of the other kind
 */
function analogousFields(seen: ReadonlyMap<string, string | null | undefined>, kind: Kind): Proposal[] {
  const path = (key: string) => seen.get(key)?.split(' || ')[0];
  const add = (key: string, value: string | null) => unseen(key, value, kind, 'by analogy');
  if (kind === 'sms.reply') {
    const at = (field: string) => path(`events.status.${field}`);
    const to = at('recipient') ?? at('messageId') ?? 'to';
    // A field named like "to" has "from" next to it. Any other name is the person's number in both kinds.
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
  return proposal(key, value, false, { note: `${what}: ${why}` });
}

/** Returns the path of a field next to another one, in the same letter case. */
function beside(path: string, name: string): string {
  const [, holder = '', last = ''] = /^(.*\.)?([^.]+)$/.exec(path) ?? [];
  return `${holder}${/^"?[A-Z]/.test(last) ? `${name[0]?.toUpperCase()}${name.slice(1)}` : name}`;
}

/** The part of the mapping that bodies show. */
export interface MappingProposal {
  readonly proposals: readonly Proposal[];
  /** All events, including those of neither kind. */
  readonly events: readonly (FoundEvent & { readonly kind: Kind | undefined })[];
  /** Whether the bodies have more events, lists or fields than were searched. */
  readonly hasMore: boolean;
}

/**
 * Proposes `webhook.bodyFormat` and `events` for captured bodies, but not the words of `statuses`.
 *
 * @param contract supplies what the bodies do not show, if its samples confirm that
 */
export function proposeMapping(
  { format, isCertain, charset, alsoCharset, bodies }: ParsedBodies,
  contract: Contract,
): MappingProposal {
  const wrapped = unwrapBodies(bodies.map(({ value }) => value));
  const inner = findEventList(wrapped.values);
  const list = wrapped.wrapper === undefined ? inner : wrapped.wrapper.around(inner);
  const events = list.events.map((event) => {
    const value = withBeside(event.value, bodies[event.body]?.beside ?? {});
    return { ...event, value, kind: classifyEvent(value) };
  });
  const classified = events.flatMap(({ kind, ...event }) => (kind === undefined ? [] : [{ ...event, kind }]));
  const hasMore = list.hasMore || hasMoreFields(events.map(({ value }) => value));
  if (classified.length === 0) return { proposals: [], events, hasMore };
  const reports = classified.filter(({ kind }) => kind === 'sms.status').map(({ value }) => value);
  const replies = classified.filter(({ kind }) => kind === 'sms.reply').map(({ value }) => value);

  const path = (proposals: readonly Proposal[], key: string) => proposed(proposals, key) ?? undefined;
  const ofReports = proposeStatusFields(columnsOf(reports));
  const sentIds = new Set(valuesAt(reports, proposed(ofReports, 'events.status.messageId')));
  const people = new Set(valuesAt(reports, proposed(ofReports, 'events.status.recipient')));
  const ofReplies = proposeReplyFields(
    columnsOf(replies),
    sentIds,
    path(ofReports, 'events.status.occurredAt'),
    people,
  );
  const columns = columnsOf(classified.map(({ value }) => value));
  const places = { 'sms.status': ofReports, 'sms.reply': ofReplies };
  const times = classified.flatMap(({ value, kind, body }): SeenTime[] => {
    const section = kind === 'sms.status' ? 'status' : 'reply';
    const texts = valuesAt([value], proposed(places[kind], `events.${section}.occurredAt`));
    const captured = bodies[body]?.captured;
    const receivedAt = captured?.isReceiptKnown === true ? captured.receivedAt : undefined;
    return texts.map((text) => ({ text, receivedAt }));
  });
  const written = times.map(({ text }) => timeFormatOf(text));
  const found = timeFormats.filter((format) => written.includes(format));
  const timeFormat =
    found.length === 0 ? [] : [proposal('events.timeFormat', found.join(formatSeparator), true)];
  const timed = applyProposals(contract, timeFormat);
  const { zone, doubt } = proposeTimeZone(times, timed.events);
  const numbers = proposeNumbers(
    [
      ...valuesAt(reports, proposed(ofReports, 'events.status.recipient')),
      ...valuesAt(replies, proposed(ofReplies, 'events.reply.from')),
      ...valuesAt(replies, proposed(ofReplies, 'events.reply.to')),
    ],
    contract.events,
    format === 'form',
  );
  const isInList = [...ofReports, ...ofReplies].some(
    ({ key, value }) => /\.(?:messageId|replyId|status|text)$/.test(key) && value?.includes('[0]') === true,
  );
  const base: Proposal[] = [
    ...proposeMethods(bodies, contract.webhook),
    proposal('webhook.bodyFormat', format, isCertain),
    ...proposeCharset('webhook.charset', charset),
    ...proposeCharset('webhook.also.charset', alsoCharset),
    // If the id is in a list, the events may be the elements of that list.
    proposal(
      'events.list',
      list.expression,
      list.isCertain && !isInList,
      wrapped.wrapper === undefined ? {} : { note: wrapped.wrapper.note },
    ),
    proposeKind({
      columns,
      kinds: classified.map(({ kind }) => kind),
      statusPath: path(ofReports, 'events.status.status'),
      textPath: path(ofReplies, 'events.reply.text'),
    }),
    ...timeFormat,
    ...(zone === undefined ? [] : [zone]),
    ...(numbers === undefined ? [] : [numbers]),
  ];
  const seen = [...(reports.length > 0 ? ofReports : []), ...(replies.length > 0 ? ofReplies : [])].map(
    (one) => (doubt === undefined ? one : withDoubt(one, doubt)),
  );
  const fields = [
    ...(reports.length > 0
      ? seen.filter(({ key }) => key.startsWith('events.status.'))
      : absent('sms.status')),
    ...(replies.length > 0 ? seen.filter(({ key }) => key.startsWith('events.reply.')) : absent('sms.reply')),
  ];
  const { webhook } = contract;
  const id = proposeEventId({
    columns:
      webhook.reads?.query === 'unsigned'
        ? columns.filter(({ path }) => !path.includes('requestQuery'))
        : columns,
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
    contents: classified.map(({ value }) => hashOf(value)),
    hasTimelessReplies: replies.some((reply) =>
      ['events.reply.replyId', 'events.reply.occurredAt'].every((place) =>
        valuesAt([reply], proposed(fields, place)).every((value) => value.trim() === ''),
      ),
    ),
    allows: (from) =>
      problemsOfReads(webhook, { from }).length === 0 &&
      requestForms(webhook).every(
        ({ signature, method }) => problemOfId(from, signature, method) === undefined,
      ),
  });
  return { proposals: [...base, id, ...fields], events, hasMore };

  function absent(kind: Kind): Proposal[] {
    const kept = keptFields(contract, kind);
    const trial = applyProposals(contract, [...base, ...seen, ...kept]);
    return samplesThatHold(trial, kind).length > 0
      ? kept
      : analogousFields(new Map(seen.map(({ key, value }) => [key, value])), kind);
  }
}

/** Shows what the captures say about HTTP methods and URLs, unless each is a POST with its values in the body. */
function proposeMethods(bodies: ParsedBodies['bodies'], webhook: Contract['webhook']): Proposal[] {
  const count = (method: string) => bodies.filter(({ captured }) => captured.method === method).length;
  const isTwo = count('POST') > 0 && count('GET') > 0;
  const of = (method: string) => ({ note: `${count(method)} of ${bodies.length} requests` });
  const query = webhook.reads?.query;
  return [
    ...(isTwo
      ? [
          proposal('webhook.method', 'POST', true, of('POST')),
          proposal('webhook.also.method', 'GET', true, of('GET')),
          proposal('webhook.also.bodyFormat', 'form', true),
        ]
      : []),
    ...(query === undefined || count('POST') === 0
      ? []
      : [
          proposal('webhook.reads.query', query, true, {
            note: 'the URL of a POST has values',
          }),
        ]),
  ];
}

function proposeCharset(key: string, guess: CharsetGuess | undefined): Proposal[] {
  if (guess === undefined) return [];
  const { charset, rivals, note } = guess;
  return [proposal(key, charset, false, { rivals, note })];
}

/** Makes a time a guess. */
function withDoubt(one: Proposal, doubt: string): Proposal {
  if (!one.key.endsWith('.occurredAt') || typeof one.value !== 'string') return one;
  return { ...one, isCertain: false, note: one.note === undefined ? doubt : `${one.note}; ${doubt}` };
}

function proposed(proposals: readonly Proposal[], place: string): string | null | undefined {
  return proposals.find(({ key }) => key === place)?.value;
}

/** Lists the values of events at a path, as text. */
function valuesAt(events: readonly unknown[], path: string | null | undefined): string[] {
  if (path === null || path === undefined) return [];
  const evaluate = lenientExpression(path);
  return events.flatMap((event) => {
    const value = evaluate(event);
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  });
}

/** A field with more words does not hold statuses, and a person could not decide on each. */
const maxWords = 60;

/**
 * Proposes the meaning of statuses that the contract does not list.
 *
 * @param reports events that the contract reads as delivery reports
 */
export function proposeStatuses({ events, statuses }: Contract, reports: readonly unknown[]): Proposal[] {
  const words = new Set(valuesAt(reports, events.status.status));
  const statusOf = lenientExpression(events.status.status);
  const codes = reports.map(statusOf).map((code) => (isScalar(code) ? code : undefined));
  const described = describedCodes(codes, columnsOf(reports));
  return [...words]
    .filter((word) => word.trim() !== '' && isVocabulary(word) && !Object.hasOwn(statuses, word))
    .slice(0, maxWords)
    .map((word) => {
      const guess = guessStatus(word);
      const key = `statuses.${word}`;
      const description = described.get(word);
      if (guess === undefined && description !== undefined) {
        const { status, path, text } = description;
        return proposal(key, status, false, { note: `by ${path}: ${text}` });
      }
      return guess === undefined
        ? proposal(key, null, false, {
            note: 'unknown: it is stored as received, and never replaces a known status',
          })
        : proposal(key, guess.status, guess.isWhole && guess.rivals === undefined, {
            rivals: guess.rivals ?? [],
          });
    });
}

/** Proposes the reason of error codes that the contract does not list, by the text next to the code. */
export function proposeErrors({ events, errors }: Contract, reports: readonly unknown[]): Proposal[] {
  const { errorCode, errorText } = events.status;
  if (errorCode === null) return [];
  const codeOf = lenientExpression(errorCode);
  const textOf = errorText === null ? undefined : lenientExpression(errorText);
  const reasons = new Map<string, { readonly reason: string; readonly note: string } | undefined>();
  for (const report of reports) {
    const code = codeOf(report);
    if (
      (typeof code !== 'string' && typeof code !== 'number') ||
      /^0*$/.test(String(code)) ||
      !isVocabulary(String(code))
    )
      continue;
    const text = textOf?.(report);
    const byText = typeof text === 'string' ? guessReason(text) : undefined;
    const reason = byText ?? reasonOfCode(String(code));
    const note = byText === undefined ? 'by its word' : 'by its text';
    reasons.set(String(code), reason === undefined ? reasons.get(String(code)) : { reason, note });
  }
  return [...reasons]
    .filter(([code]) => !Object.hasOwn(errors, code))
    .slice(0, maxWords)
    .map(([code, found]) =>
      // A code without a reason counts as certain: most codes have none, and asking about each would be tedious.
      found === undefined
        ? proposal(`errors.${code}`, null, true, { note: 'no text explains it: it gets no reason' })
        : proposal(`errors.${code}`, found.reason, false, { note: found.note }),
    );
}
