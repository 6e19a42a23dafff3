import { contentId, lenientExpression, parseBody } from '../../../../contract/events/body.ts';
import { parseTime } from '../../../../contract/text/time.ts';
import { requestBody } from '../../../../discovery/captured/capture.ts';
import type { Discovery } from '../../../../discovery/discovery.ts';
import type { Kind, MadeEvent, RandomMapping } from './random-mapping.ts';

/** How one proposal compares with the service. */
export interface Verdict {
  readonly place: string;
  readonly isRight: boolean;
  readonly isCertain: boolean;
  readonly proposed: string;
}

/** The kinds that the captures hold. */
function kindsOf({ captured }: RandomMapping): ReadonlySet<Kind> {
  return new Set(captured.flatMap(({ events }) => events.map(({ kind }) => kind)));
}

/**
 * Compares a discovery with the made-up service that sent its captures: each proposed expression has to read all events of the service,
 * those that discovery did not see too. Places of a kind that was not captured are left out; so are words that are codes. Where no
 * captured event holds a field, a guess may leave it out.
 */
export function judgeMapping(service: RandomMapping, { proposals, contract }: Discovery): Verdict[] {
  const kinds = kindsOf(service);
  const requests = [...service.captured, ...service.unseen].filter(({ events }) =>
    events.every(({ kind }) => kinds.has(kind)),
  );
  const list = lenientExpression(contract.events.list);
  const read = requests.map(({ capture, events }) => {
    const parsed = parseBody(contract.webhook, requestBody(capture));
    const found = list(parsed.kind === 'parsed' ? parsed.value : undefined);
    const values: unknown[] = Array.isArray(found) ? found : [];
    return { events, values };
  });
  const pairs = read.flatMap(({ events, values }) =>
    events.map((event, index) => ({ event, value: values[index] })),
  );
  const isListRight = read.every(({ events, values }) => events.length === values.length);
  return proposals.flatMap(({ key, value, isCertain }): Verdict[] => {
    const judged = isRight(key, value, isCertain);
    return judged === undefined ? [] : [{ place: key, isRight: judged, isCertain, proposed: String(value) }];
  });

  function isRight(key: string, value: string | null | undefined, isCertain: boolean): boolean | undefined {
    if (value === undefined) return false;
    if (key === 'webhook.bodyFormat') return value === service.format;
    if (key === 'events.list') return isListRight;
    if (key === 'events.kind') {
      const kindOf = lenientExpression(value ?? '');
      return pairs.every((pair) => kindOf(pair.value) === pair.event.kind);
    }
    if (key === 'events.id') return identifies();
    if (key === 'events.timeFormat') return undefined;
    const [, section, field = ''] = /^events\.(status|reply)\.(\w+)$/.exec(key) ?? [];
    if (section !== undefined) {
      const kind = section === 'status' ? 'sms.status' : 'sms.reply';
      if (!kinds.has(kind)) return undefined;
      const read = value === null ? () => undefined : lenientExpression(value);
      const isShown = service.captured.some(({ events }) =>
        events.some((event) => event.kind === kind && event.means[field] !== undefined),
      );
      const ofKind = pairs.filter(({ event }) => event.kind === kind);
      // Only a guess may leave out what no captured event shows.
      if (value === null && !isShown && !isCertain) return true;
      return ofKind.every((pair) => readsRight(pair.event, field, read(pair.value)));
    }
    const word = key.startsWith('statuses.') ? key.slice('statuses.'.length) : undefined;
    const meaning = word === undefined ? undefined : service.words.get(word);
    return meaning === undefined ? undefined : meaning === value;
  }

  function readsRight({ means }: MadeEvent, field: string, value: unknown): boolean {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
    const actual = text?.trim() === '' ? undefined : text;
    const expected = means[field];
    if (field !== 'occurredAt' || actual === undefined || expected === undefined) return actual === expected;
    const time = parseTime(contract.events.timeFormat, actual);
    return time !== undefined && time.slice(0, 16) === expected.slice(0, 16);
  }

  function identifies(): boolean {
    const { id } = contract.events;
    const idOf =
      id.from === 'body' ? lenientExpression(id.path) : (value: unknown) => contentId(value ?? null);
    // Two events with the same content are the same event.
    const events = new Map(pairs.map(({ value = null }) => [contentId(value), idOf(value)]));
    return new Set(events.values()).size === events.size && ![...events.values()].includes(null);
  }
}
