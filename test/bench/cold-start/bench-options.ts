import { parseArgs } from 'node:util';
import { type Profiled, profiled } from '../work/profile.ts';

export interface BenchOptions {
  /** How often each variant is started; the worker's and publisher's rounds are a third of it. */
  readonly rounds: number;
  /** Warm requests of each process. */
  readonly requests: number;
  /** Where Lambda's runtime client is kept. */
  readonly runtime: string;
  readonly part: 'cold-start' | 'work' | undefined;
  readonly profile: Profiled | undefined;
  readonly json: string | undefined;
}

const parts = ['cold-start', 'work'] as const;

/** @throws Error that says which option is wrong */
export function readOptions(args: readonly string[], runtimeFolder: string): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '15' },
      requests: { type: 'string', default: '2000' },
      runtime: { type: 'string', default: runtimeFolder },
      part: { type: 'string' },
      profile: { type: 'string' },
      json: { type: 'string' },
    },
  });
  return {
    rounds: wholeNumber('rounds', values.rounds),
    requests: wholeNumber('requests', values.requests),
    runtime: values.runtime,
    part: oneOf('part', parts, values.part),
    profile: oneOf('profile', profiled, values.profile),
    json: values.json,
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name}: expected a whole number above 0`);
  return Number(text);
}

function oneOf<const Word extends string>(
  name: string,
  words: readonly Word[],
  text: string | undefined,
): Word | undefined {
  const word = words.find((known) => known === text);
  if (text !== undefined && word === undefined)
    throw new Error(`--${name}: expected one of ${words.join(', ')}`);
  return word;
}
