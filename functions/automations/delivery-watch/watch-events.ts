import { serviceIds } from '../../../contract/events/source-id.ts';
import { busEventId } from '../../publish/index.ts';
import { type BusEvent, detailTypes } from '../../publish/shapes.ts';
import type { Example } from './failed-examples.ts';
import { quarterMs } from './rules/counters.ts';
import { type Finding, slowLimit } from './rules/finding.ts';
import { subjectKey } from './rules/subject.ts';
import type { BadSend, SubjectChange } from './rules/watch-quarter.ts';

/** An event of the watch. */
export type WatchEvent = Extract<
  BusEvent,
  {
    readonly detailType: (typeof detailTypes)[
      | 'deliveryDegraded'
      | 'deliveryRecovered'
      | 'providerDegraded'
      | 'providerRecovered'];
  }
>;

const iso = (ms: number) => new Date(ms).toISOString();

/** Four digits after the point of a share. */
const roundedShare = (share: number) => Math.round(share * 1e4) / 1e4;

/** Returns the event of a change. An incident has one id for its beginning and one for its end, however often they are published. */
export function watchEvent(change: SubjectChange, examples: readonly Example[], now: number): WatchEvent {
  const { kind, subject, since, findings } = change;
  const common = {
    version: 1 as const,
    since: iso(since),
    foundAt: iso(now),
    figures: findings.map(figureOf),
    examples: examples.map(serviceIds),
  };
  if (subject.kind === 'source') {
    const { source } = subject;
    const detail = { ...common, source, otherSources: otherSourcesOf(change) };
    return kind === 'degraded'
      ? {
          detailType: detailTypes.providerDegraded,
          detail: { ...detail, eventId: busEventId('provider-degraded', source, common.since) },
        }
      : {
          detailType: detailTypes.providerRecovered,
          detail: { ...detail, eventId: busEventId('provider-recovered', source, common.since) },
        };
  }
  const key = subjectKey(subject);
  const detail = {
    ...common,
    subject: subject.kind,
    ...(subject.kind === 'country' && { country: subject.country }),
    ...(subject.kind === 'reason' && { errorReason: subject.reason }),
  };
  return kind === 'degraded'
    ? {
        detailType: detailTypes.deliveryDegraded,
        detail: { ...detail, eventId: busEventId('delivery-degraded', key, common.since) },
      }
    : {
        detailType: detailTypes.deliveryRecovered,
        detail: { ...detail, eventId: busEventId('delivery-recovered', key, common.since) },
      };
}

function otherSourcesOf({ otherSources = [] }: SubjectChange) {
  return otherSources.map(({ source, messages, deliveryRate, slowShare, medianDeliveryMs }) => ({
    source,
    messages,
    deliveryRate: roundedShare(deliveryRate),
    ...(slowShare !== undefined && { slowShare: roundedShare(slowShare) }),
    ...(medianDeliveryMs !== undefined && { medianDeliveryMs: Math.round(medianDeliveryMs) }),
  }));
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
  const rounded = (value: number) =>
    signal === 'time-to-delivery' ? Math.round(value) : roundedShare(value);
  return {
    signal,
    value: rounded(figure),
    ...(quarters > 0 && { usual: rounded(usual) }),
    ...(signal === 'slow-share' && { limit: slowLimit }),
    messages,
    from: iso(quarter),
    until: iso(quarter + quarterMs),
    comparedWith,
    quarterHours: quarters,
  };
}
