import { Tokenization } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { nearestNames } from '../../contract/document/nearest-names.ts';
import { construct, count, seconds, shapes } from '../props/option-kinds.ts';
import type { SubscribeOptions } from '../public/sms-events.ts';

/** How events are delivered to the target of a subscription. */
export interface Delivery {
  readonly maxEventAgeSeconds: number;
  readonly retryAttempts: number;
  /** Whether the subscription changes the retries, also those of a target with its own. */
  readonly hasOwnRetries: boolean;
  /** A queue of the caller; undefined for one of the subscription. */
  readonly deadLetterQueue: IQueue | undefined;
}

/** EventBridge retries for as long, and as often, as it can: about a day with exponential backoff, whichever ends first. */
const maxEventAge = seconds({ default: 86_400, min: 60, max: 86_400 });
const retryAttempts = count('retries', { default: 185, min: 0, max: 185 });

const shapeOf: Readonly<Record<keyof SubscribeOptions, { expected: string; fits(value: unknown): boolean }>> =
  {
    id: shapes.text,
    retryAttempts: retryAttempts.shape,
    maxEventAge: maxEventAge.shape,
    deadLetterQueue: construct('a queue of SQS', 'queueArn'),
  };

/** Fills in the defaults of a subscription, and names each wrong option. */
export function deliveryOf(options: SubscribeOptions): {
  readonly delivery: Delivery;
  readonly problems: readonly string[];
} {
  const malformed = Object.entries(options).flatMap(([name, value]) => {
    const shape = new Map(Object.entries(shapeOf)).get(name);
    if (shape === undefined) {
      const [near] = nearestNames(name, Object.keys(shapeOf));
      return [`${name}: not an option${near === undefined ? '' : `; did you mean ${near}?`}`];
    }
    return value === undefined || shape.fits(value) ? [] : [`${name}: expected ${shape.expected}`];
  });
  const problems = [...malformed];
  const given = malformed.length === 0 ? options : {};
  const reportOf = (name: string) => (found: unknown, expected: string) => {
    problems.push(`${name}: found ${String(found)}, ${expected}`);
  };
  if (given.deadLetterQueue?.fifo)
    problems.push('deadLetterQueue: found a FIFO queue, expected a standard queue, as EventBridge does');
  const delivery = {
    maxEventAgeSeconds: maxEventAge.check(given.maxEventAge, reportOf('maxEventAge')),
    retryAttempts: retryAttempts.check(given.retryAttempts, reportOf('retryAttempts')),
    hasOwnRetries: given.maxEventAge !== undefined || given.retryAttempts !== undefined,
    deadLetterQueue: given.deadLetterQueue,
  };
  return { delivery, problems };
}

/** Says for how long EventBridge tries to reach a target. */
export function retriesText({ maxEventAgeSeconds, retryAttempts: retries }: Delivery): string {
  const time = durationText(maxEventAgeSeconds);
  return retries === 185 ? time : `${time} or ${Tokenization.stringifyNumber(retries)} retries`;
}

function durationText(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} hours`;
  return seconds % 60 === 0 ? `${seconds / 60} minutes` : `${Tokenization.stringifyNumber(seconds)} seconds`;
}
