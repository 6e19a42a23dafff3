import { detailTypes } from '../../../functions/bus/event-types.ts';
import type { PublishedEvent } from '../../support/local-bus.ts';
import type { Found } from './found.ts';
import { cellOf, type Ledger } from './ledger.ts';
import { contradictions, type Fact, factKey, publishedFacts } from './published-facts.ts';

/** The stored data and the published events of an idle pipeline. */
export interface Evidence {
  readonly found: Found;
  readonly published: readonly PublishedEvent[];
  /** Phone numbers of the contacts at the service. */
  readonly contacts: ReadonlySet<string>;
}

/** A broken promise. */
export interface Broken {
  /** The cell it belongs to; undefined if that is unknown. */
  readonly cell: string | undefined;
  readonly what: string;
}

/**
 * Compares the stored data and the published events with the acknowledged requests: nothing is lost or stored twice, no event is
 * unexpected, has two event ids or two contents, nothing is forged, and no queue holds a leftover.
 */
export function judge(ledger: Ledger, { found, published, contacts }: Evidence): Broken[] {
  const broken: Broken[] = contradictions(published).map((id) => ({
    cell: undefined,
    what: `the event ${id} was published with two contents`,
  }));
  const breaks = (id: string, what: string) => broken.push({ cell: cellOf(id), what: `${id} ${what}` });

  for (const [messageId, statuses] of ledger.reports) {
    const { status, reports } = found.history.get(messageId) ?? { status: 'missing', reports: new Map() };
    const inHistory = [...reports.values()].sort().join(' ');
    const expected = [...statuses].sort().join(' ');
    if (inHistory !== expected) breaks(messageId, `has "${inHistory}" in history, not "${expected}"`);
    if (statuses.has('delivered') && status !== 'delivered') breaks(messageId, `is ${status}, not delivered`);
  }
  for (const [replyId, number] of [...ledger.stops, ...ledger.thanks]) {
    if (!found.replies.has(replyId)) breaks(replyId, 'is not in history');
    if (ledger.stops.has(replyId) && !found.optedOut.has(number)) breaks(replyId, 'is not in the register');
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

  return [...broken, ...wronglyPublished(ledger, found, published), ...strangers(ledger, found)];
}

/** Returns expected facts that were not published, and published facts that were not expected or have several event ids. */
function wronglyPublished(ledger: Ledger, found: Found, published: readonly PublishedEvent[]): Broken[] {
  const facts = publishedFacts(published);
  const expected = new Map(expectedFacts(ledger, found).map((fact) => [factKey(fact), fact]));
  const broken = ({ type, id }: Fact, how: string) => ({
    cell: cellOf(ledger.cards.get(id) ?? id),
    what: `${id} is ${how} as ${type}`,
  });
  const missing = [...expected]
    .filter(([key, { isMust }]) => isMust && !facts.has(key))
    .map(([, fact]) => broken(fact, 'not published'));
  const unexpected = [...facts].flatMap(([key, fact]) => {
    if (!expected.has(key)) return [broken(fact, 'published and not expected')];
    const { size } = fact.eventIds;
    return size === 1 ? [] : [broken(fact, `published under ${size} event ids`)];
  });
  return [...missing, ...unexpected];
}

interface ExpectedFact extends Fact {
  /** False for a status that another one superseded before the publisher read it: it need not be published. */
  readonly isMust: boolean;
}

function expectedFacts(ledger: Ledger, found: Found): ExpectedFact[] {
  const owed = (type: string, id: string, about = id, isMust = true): ExpectedFact => ({
    type,
    id,
    about,
    isMust,
  });
  const ofMessages = [...ledger.reports].flatMap(([id, statuses]) => {
    const message = found.history.get(id);
    return [
      ...[...(message?.reports.keys() ?? [])].map((one) =>
        owed(detailTypes.deliveryEvent, id, `${id} ${one}`),
      ),
      ...[...statuses].map((status) =>
        owed(detailTypes.statusChanged, id, `${id} ${status}`, status === message?.status),
      ),
    ];
  });
  const stops = [...ledger.stops.keys()];
  return [
    ...ofMessages,
    ...[...stops, ...ledger.thanks.keys()].map((id) => owed(detailTypes.replyReceived, id)),
    ...stops.map((id) => owed(detailTypes.optOut, id)),
    ...[...ledger.cards.keys()].map((card) => owed(detailTypes.cardExpiring, card)),
  ];
}

/** Returns data that was never sent, and leftovers in queues. */
function strangers(ledger: Ledger, found: Found): Broken[] {
  const { reports, strayItems, forged, unreadable, noEvents, stops, thanks } = ledger;
  const unknown = [
    ...[...found.history.keys()].filter((id) => !reports.has(id) && !strayItems.has(id) && !forged.has(id)),
    ...[...found.replies].filter((id) => !stops.has(id) && !thanks.has(id)),
  ].map((id) => ({ cell: cellOf(id), what: `${id} is in history and was never acknowledged` }));
  const stopped = new Set(stops.values());
  const registered = [...found.optedOut]
    .filter((number) => !stopped.has(number))
    .map(() => ({ cell: undefined, what: 'a number is in the register that never said STOP' }));
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
  return [...unknown, ...registered, ...unpublished, ...givenUp, ...more, ...waiting];
}
