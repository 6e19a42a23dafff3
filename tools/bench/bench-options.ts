import { parseArgs } from 'node:util';
import { OptionError, wholeNumber } from '../support/run-script.ts';
import { type Profiled, profiled } from './work/profile.ts';

export interface BenchOptions {
  /** How often each variant is started; rounds of warm requests, and the worker's and publisher's, are a third of it. */
  readonly rounds: number;
  /** Warm requests of each process that is given any. */
  readonly requests: number;
  readonly part: 'cold-start' | 'work' | undefined;
  readonly profile: Profiled | undefined;
  readonly json: string | undefined;
}

const parts = ['cold-start', 'work'] as const;

/** @throws OptionError, or what `parseArgs` throws */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '15' },
      requests: { type: 'string', default: '2000' },
      part: { type: 'string' },
      profile: { type: 'string' },
      json: { type: 'string' },
    },
  });
  return {
    rounds: wholeNumber('rounds', values.rounds),
    requests: wholeNumber('requests', values.requests),
    part: oneOf('part', parts, values.part),
    profile: oneOf('profile', profiled, values.profile),
    json: values.json,
  };
}

function oneOf<const Word extends string>(
  name: string,
  words: readonly Word[],
  text: string | undefined,
): Word | undefined {
  const word = words.find((known) => known === text);
  if (text !== undefined && word === undefined)
    throw new OptionError(`--${name}: expected one of ${words.join(', ')}`);
  return word;
}
