import { randomNormal } from 'd3-random';
import type { CanonicalErrorReason, CanonicalStatus } from '../../../contract/schema/sms-event.ts';
import type { Customer } from './customers.ts';
import { reasons } from './traffic-shape.ts';

/** A message to play. Times are milliseconds since the epoch. */
export interface Outgoing {
  readonly to: Customer;
  readonly startsAt: number;
  /** Undefined for a message of its own. */
  readonly sendId?: string;
  /** What the quality of the send's numbers adds to the log odds of delivery. */
  readonly quality: number;
  /** This message fails for this reason. */
  readonly failure?: CanonicalErrorReason;
}

/** One report about a message. */
export interface Report {
  readonly status: CanonicalStatus;
  readonly occurredAt: number;
  /** When the webhook receives it. */
  readonly at: number;
  readonly reason?: CanonicalErrorReason;
}

/** The hours in which a country loses messages, and the share that it loses. */
export interface Incident {
  readonly country: string;
  readonly from: number;
  readonly until: number;
  readonly lost: number;
  readonly reason: CanonicalErrorReason;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The shares of what is out of the ordinary. */
const shares = {
  queued: 0.12,
  slow: 0.02,
  read: 0.09,
  pending: 0.006,
  late: 0.012,
  outOfOrder: 0.05,
  contradiction: 0.003,
} as const;

const statusOf: Readonly<Partial<Record<CanonicalErrorReason, CanonicalStatus>>> = {
  expired: 'expired',
  opted_out: 'rejected',
  spam: 'rejected',
  throttled: 'failed',
  invalid_number: 'failed',
  landline: 'failed',
};

/** Only numbers that opted out are rejected for that. */
const possibleReasons = reasons.filter(({ reason }) => reason !== 'opted_out');

/** Makes what becomes of messages: the reports about each, with the times at which they happen and are received. */
export function createCourses(incident: Incident, random: () => number) {
  const normal = randomNormal.source(random)();
  const logNormal = (median: number, deviation: number): number => median * Math.exp(deviation * normal());

  function pickReason(): CanonicalErrorReason {
    let left = random() * possibleReasons.reduce((sum, { share }) => sum + share, 0);
    const picked = possibleReasons.find(({ share }) => {
      left -= share;
      return left < 0;
    });
    return picked?.reason ?? 'unknown';
  }

  function failureOf({ to: { country }, startsAt, quality, failure }: Outgoing) {
    const { country: code, from, until, lost, reason } = incident;
    const isHit = country.code === code && startsAt >= from && startsAt < until && random() < lost;
    if (failure !== undefined) return failure;
    if (isHit) return reason;
    const odds = Math.log(country.rate / (1 - country.rate)) + quality;
    return random() < 1 / (1 + Math.exp(-odds)) ? undefined : pickReason();
  }

  function msToFailure(reason: CanonicalErrorReason): number {
    if (reason === 'expired') return 24 * hourMs;
    if (reason === 'unreachable') return Math.min(logNormal(5, 1.2), 600) * minuteMs;
    return logNormal(4, 0.8) * secondMs;
  }

  /** Requests arrive a moment after what they report; few arrive hours later. */
  function received(occurredAt: number): number {
    const isLate = random() < shares.late;
    return Math.round(occurredAt + (isLate ? hourMs * (1 + 8 * random()) : 150 + logNormal(600, 0.6)));
  }

  function finalReports(outgoing: Outgoing, sentAt: number): Omit<Report, 'at'>[] {
    const reason = failureOf(outgoing);
    if (reason !== undefined) {
      const failed = { status: statusOf[reason] ?? 'undelivered', reason } as const;
      return [{ ...failed, occurredAt: sentAt + msToFailure(reason) }];
    }
    const isSlow = random() < shares.slow;
    const seconds = isSlow ? logNormal(120, 0.8) : logNormal(outgoing.to.country.seconds, 0.7);
    const deliveredAt = sentAt + seconds * secondMs;
    const reports: Omit<Report, 'at'>[] = [{ status: 'delivered', occurredAt: deliveredAt }];
    if (random() < shares.contradiction)
      reports.unshift({ status: 'undelivered', reason: 'unreachable', occurredAt: deliveredAt - secondMs });
    if (random() < shares.read)
      reports.push({ status: 'read', occurredAt: deliveredAt + logNormal(7, 1) * minuteMs });
    return reports;
  }

  /** Returns the reports about a message, in the order in which they happen. */
  return function courseOf(outgoing: Outgoing): Report[] {
    const { startsAt } = outgoing;
    const sentAt = startsAt + 300 + logNormal(700, 0.5);
    const queued = { status: 'accepted', occurredAt: startsAt } as const;
    const sent = { status: 'sent', occurredAt: sentAt } as const;
    // The service reports messages that it queues, which it does when many are sent at once.
    const isQueued = outgoing.sendId !== undefined && random() < shares.queued;
    const open = isQueued ? [queued, sent] : [sent];
    const final = random() < shares.pending ? [] : finalReports(outgoing, sentAt);
    const reports = [...open, ...final].map(({ occurredAt, ...report }) => {
      const at = Math.round(occurredAt);
      return { ...report, occurredAt: at, at: received(at) };
    });
    const [last] = reports.slice(-1);
    if (last === undefined || random() >= shares.outOfOrder) return reports;
    // The report before the last arrives after it.
    return reports.map((report, index) =>
      index === reports.length - 2 ? { ...report, at: Math.max(report.at, last.at + 900) } : report,
    );
  };
}
