import type { Insights, Period, Send, SendFigures } from '../../../client/types.ts';

// Figures of sends and of times. They are made, not counted from the messages of the fixtures.

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

const reasons = [
  ['unreachable', '30003', 0.5],
  ['carrier_rejected', '30007', 0.25],
  ['invalid_number', null, 0.15],
  ['unknown', '*', 0.1],
] as const;

type OutcomeFigures = Omit<SendFigures, 'sendId' | 'firstReportAt'>;

/** Returns figures that add up. @param failing the share that failed, of all that are not pending */
export function figuresOf(messages: number, failing: number, pending = 0, unknown = 0): OutcomeFigures {
  const failed = Math.round((messages - pending) * failing);
  const delivered = messages - pending - failed;
  let rest = failed;
  const failures = reasons
    .map(([reason, code, share], index) => {
      const own = index === reasons.length - 1 ? rest : Math.min(rest, Math.round(failed * share));
      rest -= own;
      return { reason, code, messages: own };
    })
    .filter((row) => row.messages > 0);
  return {
    messages,
    delivered,
    failed,
    pending,
    replies: Math.round(messages / 40),
    optOuts: Math.round(messages / 400),
    timeToDelivery: delivered === 0 ? null : { messages: delivered, p50: 4100, p95: 38_200, p99: 125_000 },
    segments: messages + Math.round(messages / 5),
    spend:
      delivered === 0
        ? []
        : [{ currency: 'USD', amount: (delivered * 0.0095).toFixed(4), messages: delivered }],
    statuses: [
      { status: 'sent', messages: pending - unknown },
      { status: 'unknown', messages: unknown },
      { status: 'undelivered', messages: failed },
      { status: 'delivered', messages: delivered },
    ].filter((row) => row.messages > 0),
    failures,
  };
}

export function makeSends(now: number): SendFigures[] {
  const send = (sendId: string, agoMs: number, figures: OutcomeFigures): SendFigures => ({
    sendId,
    firstReportAt: new Date(now - agoMs).toISOString(),
    ...figures,
  });
  return [
    send('tonight', 4 * minute, figuresOf(800, 0.012, 311)),
    send('spring-2026', 2 * hour, figuresOf(12_480, 0.072, 14)),
    ...Array.from({ length: 60 }, (_, index) =>
      send(
        `newsletter-${60 - index}`,
        (index + 1) * 11 * hour,
        figuresOf(900 + index * 310, 0.01 + (index % 7) / 400),
      ),
    ),
  ];
}

const histogramEnds = [1, 2, 5, 10, 20, 30, 60, 120, 300, 900].map((seconds) => seconds * 1000);
const histogramShares = [0.02, 0.12, 0.41, 0.2, 0.11, 0.06, 0.04, 0.02, 0.015, 0.005];

export function sendOf(figures: SendFigures): Send {
  const rows = histogramEnds.map((upTo, index) => ({
    upTo,
    messages: Math.round(figures.delivered * (histogramShares[index] ?? 0)),
  }));
  return { ...figures, histogram: [...rows, { upTo: null, messages: 0 }] };
}

/** What the fixtures' figures of a time follow: how many messages began in a period, and the share of them that failed. */
export type Traffic = (
  start: number,
  interval: 'hour' | 'day',
) => {
  readonly messages: number;
  readonly failing: number;
  readonly pending?: number;
  readonly unknown?: number;
};

export const usualTraffic: Traffic = (start, interval) => {
  const hourOfDay = Math.floor(start / hour) % 24;
  const busy =
    interval === 'day'
      ? 9000 + ((start / day) % 7) * 800
      : hourOfDay > 8 && hourOfDay < 22
        ? 620 + hourOfDay * 9
        : 40;
  return { messages: Math.round(busy), failing: 0.012 };
};

/** Returns the figures of a time, as the query API does. */
export function insightsOf(query: URLSearchParams, traffic: Traffic, now: number): Insights {
  const interval = query.get('interval') === 'day' ? 'day' : 'hour';
  const length = interval === 'day' ? day : hour;
  const until = Math.ceil(Date.parse(query.get('until') ?? new Date(now).toISOString()) / length) * length;
  const since = Date.parse(query.get('since') ?? new Date(until - day).toISOString());
  const starts = Array.from({ length: (until - since) / length }, (_, index) => since + index * length);
  const groupsOf = (messages: number, failing: number, pending = 0, unknown = 0) => {
    const own = figuresOf(messages, failing, pending, unknown);
    const part = (country: string, share: number) => {
      const { statuses, failures, ...counts } = figuresOf(Math.round(messages * share), failing);
      return { country, ...counts };
    };
    return { ...own, countries: [part('US', 0.7), part('BR', 0.25), part('ZZ', 0.05)] };
  };
  /** Three quarters of the messages are of `main`, and half of the failures. */
  const groupsBySource = (messages: number, failing: number, pending = 0, unknown = 0) => {
    const source = (name: string, share: number, factor: number) => {
      const { statuses, ...figures } = groupsOf(Math.round(messages * share), failing * factor);
      return { source: name, ...figures };
    };
    return {
      ...groupsOf(messages, failing, pending, unknown),
      ...(query.get('by')?.includes('source') && {
        sources: [source('main', 0.75, 2 / 3), source('backup', 0.25, 2)],
      }),
    };
  };
  const periods = starts.flatMap((start): Period[] => {
    const { messages, failing, pending, unknown } = traffic(start, interval);
    if (messages === 0) return [];
    return [{ start: new Date(start).toISOString(), ...groupsBySource(messages, failing, pending, unknown) }];
  });
  const sum = (of: (period: Period) => number) => periods.reduce((total, period) => total + of(period), 0);
  const [messages, failed, pending] = [
    sum((period) => period.messages),
    sum((period) => period.failed),
    sum((period) => period.pending),
  ];
  const unknown = starts.reduce((total, start) => total + (traffic(start, interval).unknown ?? 0), 0);
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    interval,
    total: groupsBySource(
      messages,
      messages === pending ? 0 : failed / (messages - pending),
      pending,
      unknown,
    ),
    periods,
  };
}
