/**
 * `node tools/bench/discover.ts [--services N]`: how long the search for a signature scheme takes for so many made-up services, with
 * the right secret and with a wrong one. Exit code 1: a search took more than two seconds of processor time, or was wrong.
 */
import { parseArgs } from 'node:util';
import { findSignature } from '../../contract/discovery/signature/find-signature.ts';
import { randomService } from '../support/random-service/random-service.ts';
import { runScript, wholeNumber } from '../support/run-script.ts';
import { median } from '../support/statistics.ts';
import { renderTable } from '../support/table.ts';

const targetMs = 2000;

interface Search {
  readonly name: string;
  readonly found: boolean;
  readonly tried: number;
  readonly wallMs: number;
  /** The CPU time of all threads: other load on the machine does not count. */
  readonly cpuMs: number;
}

function measure(seed: number, whose: 'secret' | 'wrongSecret'): Search {
  const service = randomService(seed);
  const captures = [0, 1, 2].map((number) => service.capture(number));
  const startedAt = performance.now();
  const before = process.cpuUsage();
  const { kind, tried } = findSignature(captures, [service[whose]]);
  const { user, system } = process.cpuUsage(before);
  const wallMs = performance.now() - startedAt;
  return { name: service.name, found: kind === 'found', tried, wallMs, cpuMs: (user + system) / 1000 };
}

function row(title: string, searches: readonly Search[]): string[] {
  const figures = (values: readonly number[]) => [median(values), Math.max(...values)].map(Math.round);
  return [
    title,
    `${searches.filter(({ found }) => found).length} of ${searches.length}`,
    ...[
      ...figures(searches.map(({ cpuMs }) => cpuMs)),
      ...figures(searches.map(({ wallMs }) => wallMs)),
      ...figures(searches.map(({ tried }) => tried)),
    ].map(String),
  ];
}

function main(): number {
  const { values } = parseArgs({ options: { services: { type: 'string', default: '200' } } });
  const seeds = Array.from({ length: wholeNumber('services', values.services) }, (_, index) => index + 1);
  const right = seeds.map((seed) => measure(seed, 'secret'));
  const wrong = seeds.map((seed) => measure(seed, 'wrongSecret'));
  const head = ['', 'found', 'CPU ms, median', 'most', 'ms, median', 'most', 'candidates, median', 'most'];
  console.log(renderTable([head, row('right secret', right), row('wrong secret', wrong)]));

  const tooSlow = [...right, ...wrong].filter(({ cpuMs }) => cpuMs > targetMs);
  for (const { name, cpuMs } of tooSlow) console.log(`over ${targetMs} ms: ${Math.round(cpuMs)} ms, ${name}`);
  for (const { name } of right.filter(({ found }) => !found)) console.log(`not found: ${name}`);
  for (const { name } of wrong.filter(({ found }) => found))
    console.log(`found with a wrong secret: ${name}`);
  const isRight = right.every(({ found }) => found) && wrong.every(({ found }) => !found);
  return tooSlow.length === 0 && isRight ? 0 : 1;
}

await runScript(main);
