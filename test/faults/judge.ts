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
  /** Messages in queues, by the queue: nothing is to be left. */
  readonly waiting: Readonly<Record<string, number>>;
}

/** Something that was promised and is not so. */
export interface Broken {
  /** The cell it belongs to; undefined where none can be told. */
  readonly cell: string | undefined;
  readonly what: string;
}

/** Holds what is there against what was acknowledged: nothing lost, nothing twice, nothing forged, nothing left over. */
export function judge(ledger: Ledger, { found, published, contacts, waiting }: Evidence): Broken[] {
  const broken: Broken[] = [];
  const breaks = (id: string, what: string) => broken.push({ cell: cellOf(id), what: `${id} ${what}` });
  const told = new Told(published);

  for (const [messageId, statuses] of ledger.reports) {
    const stored = found.history.get(messageId) ?? new Map<string, string>();
    const inHistory = [...stored.values()].sort().join(' ');
    const expected = [...statuses].sort().join(' ');
    if (inHistory !== expected) breaks(messageId, `has "${inHistory}" in history, not "${expected}"`);
    for (const eventId of stored.keys()) {
      const times = told.ids(detailTypes.deliveryEvent, `${messageId} ${eventId}`);
      if (times !== 1) breaks(messageId, `has a report that is told under ${times} event ids`);
    }
    const endings = statuses.has('delivered') ? 1 : 0;
    const ends = told.ids(detailTypes.statusChanged, `${messageId} delivered`);
    if (ends !== endings) breaks(messageId, `is told to have arrived under ${ends} event ids`);
  }
  for (const [replyId, number] of ledger.stops) {
    if (!found.replies.has(replyId)) breaks(replyId, 'is not in history');
    for (const type of [detailTypes.replyReceived, detailTypes.optOut]) {
      const times = told.ids(type, replyId);
      if (times !== 1) breaks(replyId, `is told as ${type} under ${times} event ids`);
    }
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
  for (const id of ledger.cards) {
    const times = told.ids(detailTypes.cardExpiring, id);
    if (times !== 1) broken.push({ cell: undefined, what: `a card is told of under ${times} event ids` });
  }

  for (const id of found.history.keys())
    if (!ledger.reports.has(id) && !ledger.strayItems.has(id) && !ledger.forged.has(id))
      breaks(id, 'was never acknowledged');
  for (const id of found.replies) if (!ledger.stops.has(id)) breaks(id, 'was never acknowledged');
  for (const key of new Set(found.unpublished)) {
    const id = key.replace('message#', '');
    if (!ledger.strayItems.has(id)) breaks(id, 'could not be published');
  }
  const expectedInQuarantine = ledger.forged.size + ledger.unreadable.size;
  if (found.quarantine.length !== expectedInQuarantine) {
    const what = `${found.quarantine.length} entries in quarantine, not ${expectedInQuarantine}`;
    broken.push({ cell: undefined, what });
  }
  for (const [place, count] of Object.entries(waiting))
    if (count > 0) broken.push({ cell: undefined, what: `${count} in the ${place}` });
  return broken;
}

/** The event ids under which each thing was told, by detail type and what it is about. */
class Told {
  readonly #ids = new Map<string, Set<string>>();

  constructor(published: readonly PublishedEvent[]) {
    for (const event of published) {
      const about = subjectOf(event);
      if (about === undefined) continue;
      const key = `${event['detail-type']} ${about}`;
      this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(event.detail.eventId));
    }
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
