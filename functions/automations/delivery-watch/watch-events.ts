import { serviceIds } from '../../../contract/events/source-id.ts';
import { busEventId } from '../../publish/index.ts';
import { type BusEvent, detailTypes } from '../../publish/shapes.ts';
import type { Example } from './failed-examples.ts';
import { quarterMs } from './rules/counters.ts';
import type { Finding } from './rules/finding.ts';
import { subjectKey } from './rules/subject.ts';
import type { BadSend, SubjectChange } from './rules/watch-quarter.ts';

/** An event of the watch. */
export type WatchEvent = Extract<
  BusEvent,
  { readonly detailType: typeof detailTypes.deliveryDegraded | typeof detailTypes.deliveryRecovered }
>;

const iso = (ms: number) => new Date(ms).toISOString();

/** Returns the event of a change. An incident has one id for its beginning and one for its end, however often they are published. */
export function watchEvent(
  { kind, subject, since, findings }: SubjectChange,
  examples: readonly Example[],
  now: number,
): WatchEvent {
  const key = subjectKey(subject);
  const common = {
    version: 1 as const,
    subject: subject.kind,
    ...(subject.kind === 'country' && { country: subject.country }),
    ...(subject.kind === 'reason' && { errorReason: subject.reason }),
    since: iso(since),
    foundAt: iso(now),
    figures: findings.map(figureOf),
    examples: examples.map(serviceIds),
  };
  return kind === 'degraded'
    ? {
        detailType: detailTypes.deliveryDegraded,
        detail: { ...common, eventId: busEventId('delivery-degraded', key, common.since) },
      }
    : {
        detailType: detailTypes.deliveryRecovered,
        detail: { ...common, eventId: busEventId('delivery-recovered', key, common.since) },
      };
}

/** Returns the event of a send that alone made a country, a reason or all messages worse than usual. It has no event of a recovery. */
export function sendEvent(
  { sendId, since, findings }: BadSend,
  examples: readonly Example[],
  now: number,
): WatchEvent {
  return {
    detailType: detailTypes.deliveryDegraded,
    detail: {
      version: 1,
      eventId: busEventId('delivery-degraded', `send:${sendId}`, iso(since)),
      subject: 'send',
      ...serviceIds({ sendId }),
      since: iso(since),
      foundAt: iso(now),
      figures: findings.map(figureOf),
      examples: examples.map(serviceIds),
    },
  };
}

function figureOf({ signal, figure, usual, messages, quarter, comparedWith, quarters }: Finding) {
  // Four digits after the point of a share; whole milliseconds.
  const rounded = (value: number) =>
    signal === 'time-to-delivery' ? Math.round(value) : Math.round(value * 1e4) / 1e4;
  return {
    signal,
    value: rounded(figure),
    usual: rounded(usual),
    messages,
    from: iso(quarter),
    until: iso(quarter + quarterMs),
    comparedWith,
    quarterHours: quarters,
  };
}
