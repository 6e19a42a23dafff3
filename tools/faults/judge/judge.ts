import { detailTypes } from '../../../functions/bus/event-types.ts';
import type { PublishedEvent } from '../../support/local-bus.ts';
import type { Found } from './found.ts';
import { cellOf, type Ledger } from './ledger.ts';
import { contradictions, type Fact, factKey, toldFacts } from './told.ts';

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
 * Holds what is there against what was acknowledged: nothing lost, nothing stored twice, nothing told that is not owed, or under two
 * event ids, or in two ways, nothing forged, nothing left over.
 */
export function judge(ledger: Ledger, { found, published, contacts }: Evidence): Broken[] {
  const broken: Broken[] = contradictions(published).map((id) => ({
    cell: undefined,
    what: `the event ${id} was told in two ways`,
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

  return [...broken, ...wronglyTold(ledger, found, published), ...strangers(ledger, found)];
}

/** What is owed and was not told, and what was told and is not owed, or under several event ids. */
function wronglyTold(ledger: Ledger, found: Found, published: readonly PublishedEvent[]): Broken[] {
  const told = toldFacts(published);
  const owed = new Map(owedFacts(ledger, found).map((fact) => [factKey(fact), fact]));
  const broken = ({ type, id }: Fact, how: string) => ({
    cell: cellOf(ledger.cards.get(id) ?? id),
    what: `${id} is ${how} as ${type}`,
  });
  const untold = [...owed]
    .filter(([key, { isMust }]) => isMust && !told.has(key))
    .map(([, fact]) => broken(fact, 'not told'));
  const tooMuch = [...told].flatMap(([key, fact]) => {
    if (!owed.has(key)) return [broken(fact, 'told and not owed')];
    const { size } = fact.eventIds;
    return size === 1 ? [] : [broken(fact, `told under ${size} event ids`)];
  });
  return [...untold, ...tooMuch];
}

interface OwedFact extends Fact {
  /** A status that another one overtook before anybody looked is not told. */
  readonly isMust: boolean;
}

function owedFacts(ledger: Ledger, found: Found): OwedFact[] {
  const owed = (type: string, id: string, about = id, isMust = true): OwedFact => ({
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

/** What is there and nobody sent, and what is left over. */
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
