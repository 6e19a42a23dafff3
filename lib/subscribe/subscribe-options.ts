import { Token, Tokenization } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { nearestNames } from '../../contract/document/nearest-names.ts';
import { arnOf, construct, count, foundFor, type Shape, seconds, shapes } from '../options/option-kinds.ts';
import { isPlain, shown } from '../options/shown.ts';
import type { SubscribeOptions } from '../props/subscribe-options.ts';

/** How events are delivered to the target of a subscription. */
export interface Delivery {
  /** Names the subscription; undefined for the name of its target. */
  readonly id: string | undefined;
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

const shapeOf: Readonly<Record<keyof SubscribeOptions, Shape>> = {
  id: shapes.text,
  retryAttempts: retryAttempts.shape,
  maxEventAge: maxEventAge.shape,
  deadLetterQueue: construct('a queue of SQS', 'queueArn', arnOf('sqs')),
};

/** The names of the options of every subscription. */
export const optionNames: readonly string[] = Object.keys(shapeOf);

/** What a subscription is given, in its parts. */
export interface ReadOptions {
  readonly delivery: Delivery;
  /** The fields of events. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** A line for each wrong option. */
  readonly problems: readonly string[];
}

/** Fills in the defaults of a subscription, and separates the fields that select events. */
export function readOptions(options: object): ReadOptions {
  const shapeByName = new Map<string, Shape>(Object.entries(shapeOf));
  const entries = Object.entries(options);
  const filter = Object.fromEntries(entries.filter(([name]) => !shapeByName.has(name)));
  const problems = entries.flatMap(([name, value]) => {
    const shape = shapeByName.get(name);
    return shape === undefined || value === undefined || shape.fits(value)
      ? []
      : [`${name}: found ${foundFor(shape, value)}, expected ${shape.expected}`];
  });
  const given: SubscribeOptions = problems.length === 0 ? options : {};
  const reportOf = (name: string) => (found: unknown, expected: string) => {
    problems.push(`${name}: found ${String(found)}, ${expected}`);
  };
  const delivery = {
    id: given.id,
    maxEventAgeSeconds: maxEventAge.check(given.maxEventAge, reportOf('maxEventAge')).toSeconds(),
    retryAttempts: retryAttempts.check(given.retryAttempts, reportOf('retryAttempts')),
    hasOwnRetries: given.maxEventAge !== undefined || given.retryAttempts !== undefined,
    deadLetterQueue: given.deadLetterQueue,
  };
  return { delivery, filter, problems };
}

/** Returns a line for each argument of another kind than the compiler accepts. */
export function malformedArguments(target: unknown, options: unknown): readonly string[] {
  return [
    ...(isTarget(target)
      ? []
      : [`target: found ${shown(target)}, expected a target, for example Target.lambda(fn)`]),
    ...(isPlain(options) && !isTarget(options)
      ? []
      : [
          `options: found ${isTarget(options) ? 'a target' : shown(options)}, expected an object, for example { id: 'Crm' }`,
        ]),
  ];
}

/** Returns a line for each wrong option of onEvent alone. The fields in `detail` are checked with those of the other subscriptions. */
export function malformedEventOptions(options: unknown): readonly string[] {
  if (!isPlain(options))
    return [`options: found ${shown(options)}, expected an object, for example { detailTypes: [...] }`];
  const names = ['detailTypes', 'detail', ...optionNames];
  const unknown = Object.keys(options).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    return unknown.map((name) => {
      const [near] = nearestNames(name, names);
      return `${name}: not an option${near === undefined ? '; fields of events are in detail' : `; did you mean ${near}?`}`;
    });
  const { detailTypes, detail = {} } = Object.fromEntries<unknown>(Object.entries(options));
  if (!Array.isArray(detailTypes))
    return [
      `detailTypes: found ${detailTypes === undefined ? 'nothing' : shown(detailTypes)}, expected a list, for example [DetailType.OPT_OUT]`,
    ];
  return isPlain(detail) ? [] : [`detail: found ${shown(detail)}, expected an object with fields`];
}

function isTarget(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'bind' in value && typeof value.bind === 'function';
}

/** Says for how long EventBridge tries to reach a target. */
export function retriesText({ maxEventAgeSeconds, retryAttempts: retries }: Delivery): string {
  const time = durationText(maxEventAgeSeconds);
  return retries === 185 ? time : `${time} or ${Tokenization.stringifyNumber(retries)} retries`;
}

function durationText(seconds: number): string {
  if (Token.isUnresolved(seconds) || seconds % 60 !== 0)
    return `${Tokenization.stringifyNumber(seconds)} seconds`;
  return seconds % 3600 === 0 ? `${seconds / 3600} hours` : `${seconds / 60} minutes`;
}
