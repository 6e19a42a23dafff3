import { parseArgs } from 'node:util';
import { discover } from '../../../contract/discovery/discovery.ts';
import { findSignature } from '../../../contract/discovery/signature/find-signature.ts';
import { shippedContract } from '../../support/contracts.ts';
import { oneOf, wholeNumber } from '../../support/run-script.ts';
import { median } from '../../support/statistics.ts';
import { renderTable } from '../../support/table.ts';
import { judgeMapping } from './random-mapping/judge-mapping.ts';
import { randomMapping } from './random-mapping/random-mapping.ts';
import { randomService } from './random-service/random-service.ts';

const targetMs = 2000;
/** The share of places that have to be proposed right. */
const minRightShare = 0.98;

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

/** Measures the searches for signature schemes. @returns whether they were right and fast enough */
function benchSignatures(seeds: readonly number[]): boolean {
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
  return tooSlow.length === 0 && isRight;
}

/** Compares the proposed mappings with the made-up services. @returns whether enough places are right, and all certain ones */
async function benchMappings(seeds: readonly number[], shows: boolean): Promise<boolean> {
  const services = await Promise.all(
    seeds.map(async (seed) => {
      const service = randomMapping(seed);
      const captures = service.captured.map(({ capture }) => capture);
      const noSecret = () => [];
      const discovery = await discover(captures, noSecret, shippedContract, 0, async (guesses) => guesses);
      return { name: service.name, verdicts: judgeMapping(service, discovery) };
    }),
  );
  const verdicts = services.flatMap((service) => service.verdicts);
  const wrong = verdicts.filter(({ isRight }) => !isRight);
  const wrongAndCertain = wrong.filter(({ isCertain }) => isCertain).length;
  const clean = services.filter((service) => service.verdicts.every(({ isRight }) => isRight)).length;
  const share = (verdicts.length - wrong.length) / verdicts.length;
  const rows = [
    ['', 'places', 'right', 'wrong', 'wrong and certain', 'asked', 'services without a wrong place'],
    [
      `mappings, seeds ${seeds[0]} to ${seeds.at(-1)}`,
      String(verdicts.length),
      `${(share * 100).toFixed(2)} %`,
      String(wrong.length),
      String(wrongAndCertain),
      String(verdicts.filter(({ isCertain }) => !isCertain).length),
      `${clean} of ${services.length}`,
    ],
  ];
  console.log(renderTable(rows));
  for (const { name, verdicts } of shows ? services : [])
    for (const { place, isCertain, proposed } of verdicts.filter(({ isRight }) => !isRight))
      console.log(`${isCertain ? 'certain' : 'guessed'}, wrong: ${place} = ${proposed} (${name})`);
  return share >= minRightShare && wrongAndCertain === 0;
}

/** Has the signature scheme and the mapping of made-up services discovered: are they right, and found in time? @returns the exit code */
export async function playDiscovery(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      services: { type: 'string', default: '200' },
      mappings: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      show: { type: 'boolean', default: false },
    },
  });
  const first = wholeNumber('seed', values.seed);
  const seeds = (option: 'services' | 'mappings') =>
    Array.from({ length: wholeNumber(option, values[option]) }, (_, index) => first + index);
  const only = oneOf('only', ['signature', 'mapping'], values.only);
  const areFound = only === 'mapping' || benchSignatures(seeds('services'));
  const areMapped = only === 'signature' || (await benchMappings(seeds('mappings'), values.show));
  return areFound && areMapped ? 0 : 1;
}
