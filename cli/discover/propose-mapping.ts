import type { Contract } from '../../functions/core/contract/contract.ts';
import { contentId as hashOf } from '../../functions/core/events/event-id.ts';
import { analogousFields, keptFields, samplesThatHold } from './absent-kind.ts';
import { applyProposals } from './apply-proposals.ts';
import type { ParsedBodies } from './captured-body.ts';
import { classifyEvent, type Kind } from './classify-event.ts';
import { columnsOf } from './columns.ts';
import { proposeEventId } from './event-id.ts';
import { proposeKind } from './event-kind.ts';
import { type FoundEvent, findEventList } from './event-list.ts';
import { lookUp } from './look-up.ts';
import type { Proposal } from './proposal.ts';
import { proposeReplyFields } from './reply-fields.ts';
import { proposeStatusFields } from './status-fields.ts';

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
export function valuesAt(events: readonly unknown[], path: string | null | undefined): string[] {
  if (path === null || path === undefined) return [];
  const evaluate = lookUp(path);
  return events.flatMap((event) => {
    const value = evaluate(event);
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  });
}
