import { isDeepStrictEqual } from 'node:util';
import { detailTypes } from '../../functions/core/bus/detail-types.ts';
import { detailSchemas } from '../../functions/core/bus/details.ts';
import type { PublishedEvent } from '../support/local-bus.ts';
import type { Found } from './found.ts';
import { cellOf, type Ledger } from './ledger.ts';

/** What a pipeline holds and has told when all is quiet. */
export interface Evidence {
  readonly found: Found;
  readonly published: readonly PublishedEvent[];
  /** Phone numbers of the contacts at the service. */
  readonly contacts: ReadonlySet<string>;
}

/** Something that was promised and is not so. */
export interface Broken {
  /** The cell it belongs to; undefined where none can be told. */
  readonly cell: string | undefined;
  readonly what: string;
}

/**
 * Holds what is there against what was acknowledged: nothing lost, nothing stored twice, nothing told under two event ids or in two
 * ways, nothing forged, nothing left over.
 */
export function judge(ledger: Ledger, { found, published, contacts }: Evidence): Broken[] {
  const told = new Told(published);
  const broken: Broken[] = told.contradictions.map((id) => ({
    cell: undefined,
    what: `the event ${id} was told in two ways`,
  }));
  const breaks = (id: string, what: string) => broken.push({ cell: cellOf(id), what: `${id} ${what}` });
  const toldOnce = (id: string, type: string, about: string) => {
    const ids = told.ids(type, about);
    if (ids !== 1) breaks(id, `is told as ${type} under ${ids} event ids`);
  };

  for (const [messageId, statuses] of ledger.reports) {
    const { status, reports } = found.history.get(messageId) ?? { status: 'missing', reports: new Map() };
    const inHistory = [...reports.values()].sort().join(' ');
    const expected = [...statuses].sort().join(' ');
    if (inHistory !== expected) breaks(messageId, `has "${inHistory}" in history, not "${expected}"`);
    for (const eventId of reports.keys())
      toldOnce(messageId, detailTypes.deliveryEvent, `${messageId} ${eventId}`);
    if (!statuses.has('delivered')) continue;
    if (status !== 'delivered') breaks(messageId, `is ${status}, not delivered`);
    toldOnce(messageId, detailTypes.statusChanged, `${messageId} delivered`);
  }
  for (const [replyId, number] of [...ledger.stops, ...ledger.thanks]) {
    if (!found.replies.has(replyId)) breaks(replyId, 'is not in history');
    toldOnce(replyId, detailTypes.replyReceived, replyId);
    if (ledger.stops.has(replyId)) toldOnce(replyId, detailTypes.optOut, replyId);
    if (!contacts.has(number)) breaks(replyId, 'has come to no contact at the service');
  }
  const kept = (id: string) => found.quarantine.filter((body) => body.includes(`"${id}"`)).length;
  for (const id of ledger.forged) {
    if (found.history.has(id)) breaks(id, 'is forged, and in history');
    if (kept(id) !== 1) breaks(id, `is forged, and ${kept(id)} times in quarantine`);
  }
  for (const id of ledger.unreadable) if (kept(id) !== 1) breaks(id, `is ${kept(id)} times in quarantine`);
  for (const id of ledger.strayItems)
    if (!found.unpublished.includes(`message#${id}`)) breaks(id, 'was not set aside by the publisher');
  for (const id of ledger.noEvents)
    if (!found.givenUp.includes(id)) breaks(id, 'is not in the dead letter queue of the opt-outs');
  for (const [card, id] of ledger.cards) toldOnce(id, detailTypes.cardExpiring, card);

  return [...broken, ...strangers(ledger, found)];
}

/** What is there and nobody sent, and what is left over. */
function strangers(ledger: Ledger, found: Found): Broken[] {
  const { reports, strayItems, forged, unreadable, noEvents, stops, thanks } = ledger;
  const unknown = [
    ...[...found.history.keys()].filter((id) => !reports.has(id) && !strayItems.has(id) && !forged.has(id)),
    ...[...found.replies].filter((id) => !stops.has(id) && !thanks.has(id)),
  ].map((id) => ({ cell: cellOf(id), what: `${id} is in history and was never acknowledged` }));
  const unpublished = found.unpublished
    .map((key) => key.replace('message#', ''))
    .filter((id) => !strayItems.has(id))
    .map((id) => ({ cell: cellOf(id), what: `${id} could not be published` }));
  const givenUp = found.givenUp
    .filter((body) => !noEvents.has(body))
    .map(() => ({ cell: undefined, what: 'an opt-out was given up' }));
  const inQuarantine = forged.size + unreadable.size;
  const more =
    found.quarantine.length === inQuarantine
      ? []
      : [{ cell: undefined, what: `${found.quarantine.length} in quarantine, not ${inQuarantine}` }];
  const waiting = Object.entries(found.waiting).map(([queue, count]) => ({
    cell: undefined,
    what: `${count} in the queue ${queue}`,
  }));
  return [...unknown, ...unpublished, ...givenUp, ...more, ...waiting];
}

/** The event ids under which each thing was told, by detail type and what it is about. */
class Told {
  /** Ids of events that came again and said something else. */
  readonly contradictions: readonly string[];
  readonly #ids = new Map<string, Set<string>>();

  constructor(published: readonly PublishedEvent[]) {
    const details = new Map<string, object>();
    const contradictions = new Set<string>();
    for (const event of published) {
      const { eventId } = event.detail;
      const before = details.get(eventId) ?? event.detail;
      if (!isDeepStrictEqual(before, event.detail)) contradictions.add(eventId);
      details.set(eventId, before);
      const about = subjectOf(event);
      if (about === undefined) continue;
      const key = `${event['detail-type']} ${about}`;
      this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(eventId));
    }
    this.contradictions = [...contradictions];
  }

  ids(detailType: string, about: string): number {
    return this.#ids.get(`${detailType} ${about}`)?.size ?? 0;
  }
}

function subjectOf({ 'detail-type': type, detail }: PublishedEvent): string | undefined {
  switch (type) {
    case detailTypes.deliveryEvent: {
      const { messageId, historyEventId } = detailSchemas[type].parse(detail);
      return `${messageId} ${historyEventId}`;
    }
    case detailTypes.statusChanged: {
      const { messageId, status } = detailSchemas[type].parse(detail);
      return `${messageId} ${status}`;
    }
    case detailTypes.replyReceived:
    case detailTypes.optOut:
      return detailSchemas[type].parse(detail).replyId;
    case detailTypes.cardExpiring:
      return detailSchemas[type].parse(detail).cardId;
    default:
      return undefined;
  }
}
