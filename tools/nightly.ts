import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { OptionError, runScript, wholeNumber } from './support/run-script.ts';

const projectDirectory = resolve(import.meta.dirname, '..');
const reports = join(projectDirectory, 'reports', 'nightly');

interface Part {
  readonly name: string;
  readonly proves: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** What `npm test` tries in short, tried in full; the shortest parts first. */
function partsOf(seed: number): readonly Part[] {
  const seeded = ['--seed', String(seed)];
  return [
    {
      name: 'model',
      proves: 'rotations in 20,000 schedules of each property',
      script: 'model',
      environment: { MODEL_SCHEDULES: '20000' },
    },
    {
      name: 'contracts',
      proves: 'the demonstration succeeds with two other contracts',
      script: 'test:contracts',
    },
    { name: 'discover', proves: 'signatures of 200 made-up services are found', script: 'bench:discover' },
    { name: 'write-units', proves: 'write units an event are within their limit', script: 'write-units' },
    {
      name: 'attack',
      proves: 'a million hostile inputs break no promise',
      script: 'attack',
      args: ['--cases', '1000000', ...seeded],
    },
    { name: 'coverage', proves: 'all tests with new examples, and their coverage', script: 'test:coverage' },
    { name: 'iam-mutation', proves: 'no permission is superfluous', script: 'iam-mutation' },
    { name: 'volume-drill', proves: '10,000 reports while functions are killed', script: 'volume-drill' },
    { name: 'rotation-drill', proves: 'rotations under load', script: 'rotation-drill' },
    { name: 'alarm-drill', proves: 'every alarm fires and its page helps', script: 'alarm-drill' },
    { name: 'soak', proves: 'ten minutes at half of the maximum', script: 'soak', args: ['--minutes', '10'] },
    { name: 'faults', proves: 'every call spoiled in every way', script: 'faults', args: seeded },
    { name: 'mutation', proves: 'tests notice changes of the pure code', script: 'mutation' },
  ];
}

interface Outcome {
  readonly part: Part;
  readonly exitCode: number | null;
  readonly seconds: number;
  readonly lastLines: readonly string[];
}

/** Lines of a part's output that its summary shows. */
const maxLastLines = 12;

/** Runs one part to its end; its whole output is in a file. */
async function runPart(part: Part, seed: number): Promise<Outcome> {
  const begun = performance.now();
  const log = createWriteStream(join(reports, `${part.name}.log`));
  const child = spawn('npm', ['run', '--silent', part.script, '--', ...(part.args ?? [])], {
    cwd: projectDirectory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PROPERTY_SEED: String(seed), ...part.environment },
  });
  let end = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      log.write(data);
      end = (end + data.toString()).slice(-8_000);
    });
  const [exitCode]: [number | null] = await once(child, 'close').then(([code]) => [code]);
  log.end();
  const lines = stripVTControlCharacters(end)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return {
    part,
    exitCode,
    seconds: (performance.now() - begun) / 1000,
    lastLines: lines.slice(-maxLastLines),
  };
}

function summaryOf(outcomes: readonly Outcome[], seed: number): string {
  const rows = outcomes.map(
    ({ part, exitCode, seconds }) =>
      `| ${part.name} | ${part.proves} | ${exitCode === 0 ? 'passed' : `**failed** (${exitCode ?? 'killed'})`} | ${Math.round(seconds)} s |`,
  );
  const ends = outcomes.map(
    ({ part, lastLines }) => `\n### ${part.name}\n\n\`\`\`\n${lastLines.join('\n')}\n\`\`\`\n`,
  );
  return [
    `# Nightly, seed ${seed}`,
    '',
    '| part | tries | outcome | took |',
    '|---|---|---|---|',
    ...rows,
    ...ends,
  ].join('\n');
}

await runScript(async () => {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, only: { type: 'string', multiple: true } },
  });
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('seed', values.seed);
  const all = partsOf(seed);
  const unknown = values.only?.find((name) => !all.some((part) => part.name === name));
  if (unknown !== undefined)
    throw new OptionError(`--only ${unknown}: there are ${all.map(({ name }) => name).join(', ')}`);
  const parts = values.only === undefined ? all : all.filter(({ name }) => values.only?.includes(name));

  mkdirSync(reports, { recursive: true });
  console.info(`seed ${seed}; npm run nightly -- --seed ${seed} repeats it. Output: reports/nightly/`);
  const outcomes: Outcome[] = [];
  for (const part of parts) {
    console.info(`${part.name}: ${part.proves} ...`);
    const outcome = await runPart(part, seed);
    outcomes.push(outcome);
    // After each part, so that an interrupted night has its summary too.
    writeFileSync(join(reports, 'summary.md'), `${summaryOf(outcomes, seed)}\n`);
    console.info(`${outcome.exitCode === 0 ? 'passed' : 'FAILED'} after ${Math.round(outcome.seconds)} s`);
  }
  const failed = outcomes.filter(({ exitCode }) => exitCode !== 0);
  console.info(`${outcomes.length - failed.length} of ${outcomes.length} parts passed`);
  return failed.length === 0 ? 0 : 1;
});
