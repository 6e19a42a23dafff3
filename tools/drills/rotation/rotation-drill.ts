/** `npm run rotation-drill`: does the promise of docs/rotation.md hold under load? Prints a table; exit code 0 if so. */
import type { Incident } from './incidents.ts';
import { isUnavailable, type PassResult, sumOf } from './pass-result.ts';
import { rotationPass } from './rotation-pass.ts';
import { remarksOn, verdictOf } from './rotation-verdict.ts';

const incidents: readonly Incident[] = [
  { atSecond: 5, kind: 'rotate', oldSecretForSeconds: 0 },
  { atSecond: 14, kind: 'rotate', oldSecretForSeconds: 5 },
  { atSecond: 26, kind: 'rotate', oldSecretForSeconds: 0 },
  { atSecond: 35, kind: 'rotate elsewhere', oldSecretForSeconds: 0 },
  { atSecond: 47, kind: 'rotate and kill setup', oldSecretForSeconds: 5 },
];

const load = { seconds: 60, genuinePerSecond: 300, forgedPerSecond: 50 };
const say = (line: string) => console.log(line);

const rows: (readonly [string, (result: PassResult) => string | number])[] = [
  ['genuine events sent', ({ sent }) => sent],
  ['sending took', ({ sendingSeconds }) => `${sendingSeconds.toFixed(1)} s`],
  ['acknowledged', ({ acknowledged }) => acknowledged],
  ['acknowledged and in history once', ({ stored }) => stored],
  ['in history, but the answer was lost', ({ storedUnacknowledged }) => storedUnacknowledged],
  ['in history otherwise', ({ unexpected }) => unexpected],
  ['genuine in quarantine', ({ quarantinedGenuine }) => quarantinedGenuine],
  [
    'not acknowledged: 5xx or no answer',
    ({ refused }) => refused.filter(({ status }) => isUnavailable(status)).length,
  ],
  ['refused', (result) => refusedOf(result).length],
  [
    'of these before any rotation elsewhere',
    (result) => refusedOf(result).length - afterRotationElsewhere(refusedOf(result)).length,
  ],
  ['last one after the rotation elsewhere', lastRefusal],
  ['forged requests sent', ({ forgedAnswers }) => sumOf(forgedAnswers)],
  ['answered 401', ({ forgedAnswers }) => forgedAnswers.get(401) ?? 0],
  ['parked, then refused into quarantine', ({ quarantinedForged }) => sumOf(quarantinedForged)],
  ['forged events in history', ({ forgedStored }) => forgedStored],
  ['the same signed with the real secret', ({ control }) => `${control.answer}, ${control.stored}`],
  ['in the dead letter queue', ({ deadLetters }) => deadLetters],
  ['rotations of the service', ({ rotations }) => rotations],
  ['until nothing was parked any more', ({ drainSeconds }) => `${drainSeconds.toFixed(0)} s`],
  ['places with a secret in logs and output', ({ leaks }) => leaks.length],
];

function afterRotationElsewhere(refused: PassResult['refused']): number[] {
  return refused.flatMap(({ afterRotationElsewhereMs }) => afterRotationElsewhereMs ?? []);
}

function refusedOf({ refused }: PassResult): PassResult['refused'] {
  return refused.filter(({ status }) => !isUnavailable(status));
}

function lastRefusal(result: PassResult): string {
  const times = afterRotationElsewhere(refusedOf(result));
  return times.length === 0 ? '-' : `${(Math.max(...times) / 1000).toFixed(1)} s`;
}

const results: PassResult[] = [];
for (const park of ['rotating', 'always'] as const) {
  say(
    `parkUnverified: ${park}. ${load.genuinePerSecond} genuine and ${load.forgedPerSecond} forged events a second for ${load.seconds} s`,
  );
  results.push(await rotationPass({ ...load, park, incidents, say }));
}
say(`\n${'parkUnverified'.padEnd(42)}${'rotating'.padStart(10)}${'always'.padStart(10)}`);
for (const [name, show] of rows)
  say(name.padEnd(42) + results.map((result) => String(show(result)).padStart(10)).join(''));

const broken = results.flatMap((result, index) => verdictOf(result, index === 0));
say('');
for (const line of results.flatMap(remarksOn)) say(`SLOW: ${line}`);
for (const line of broken) console.error(`BROKEN: ${line}`);
if (broken.length === 0) say('Every promise held.');
process.exitCode = broken.length === 0 ? 0 : 1;
