import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { signalProcess } from './engine/run.ts';
import { OptionError, runScript, wholeNumber } from './support/run-script.ts';

const projectDirectory = resolve(import.meta.dirname, '..');
const reports = join(projectDirectory, 'reports', 'nightly');

interface Part {
  readonly name: string;
  /** An npm script, or tests of the projects `unit` and `io`. */
  readonly runs: { readonly script: string } | { readonly test: string };
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const script = (name: string, ...args: string[]): Part => ({ name, runs: { script: name }, args });
const drill = (name: string, ...args: string[]): Part => ({
  name,
  runs: { script: 'drill' },
  args: [name, ...args],
});
const properties = (name: string, test: string, runs: number): Part => ({
  name,
  runs: { test },
  environment: { PROPERTY_RUNS: String(runs) },
});

/**
 * What `npm test` tries in short, tried in full; the shortest parts first. The seed decides what the tests with properties, `volume`,
 * `insights`, `import`, `faults` and `acceptance` draw. The others draw nothing: how they differ from night to night is a matter of time.
 */
function partsOf(seed: number): readonly Part[] {
  const seeded = ['--seed', String(seed)];
  return [
    script('trace'),
    script('bench'),
    script('screenshots', '--out', join(reports, 'screenshots')),
    script('test:nightly'),
    script('test:package'),
    properties('discovery', 'test/unit/discovery', 200),
    properties('rotation-model', 'test/unit/functions/registration/rotation-model', 20_000),
    properties('hostile-input', 'test/unit/hostile-input/hostile-input.test.ts', 200_000),
    properties('fuzzer', 'test/unit/hostile-input', 20_000),
    script('test', '--coverage'),
    script('acceptance', '--emulator', ...seeded),
    drill('grants'),
    drill('rotation'),
    drill('volume', ...seeded),
    drill('lookups', ...seeded),
    drill('insights', '--events', '20000', ...seeded),
    drill('sources', '--flood', '20000', ...seeded),
    drill('import', '--rows', '20000', ...seeded),
    drill('faults', ...seeded),
    script('mutation'),
  ];
}

interface Outcome {
  readonly part: Part;
  /** `passed`, or why it did not. */
  readonly verdict: string;
  readonly seconds: number;
  readonly lastLines: readonly string[];
}

/** Lines of a part's output that its summary shows. */
const maxLastLines = 12;

/** How long a part may take, and how long it may take to end after SIGTERM. */
const limitMinutes = 90;
const graceMs = 30_000;

/**
 * Runs one part to its end, to its limit, or until the night is interrupted. Its whole output is in a file, and none of its processes is
 * left.
 */
async function runPart(part: Part, seed: number, interrupted: AbortSignal): Promise<Outcome> {
  const begun = performance.now();
  const log = createWriteStream(join(reports, `${part.name.replace(':', '-')}.log`));
  // A process group of its own, which ends as one.
  const { runs, args = [] } = part;
  const command =
    'script' in runs
      ? ['npm', 'run', '--silent', runs.script, '--', ...args]
      : ['npx', 'vitest', 'run', '--silent=false', '--project', 'unit', '--project', 'io', runs.test];
  const [program = '', ...programArgs] = command;
  const child = spawn(program, programArgs, {
    cwd: projectDirectory,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PROPERTY_SEED: String(seed), ...part.environment },
  });
  const signalGroup = (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.pid !== undefined) signalProcess(-child.pid, signal);
  };
  let end = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      log.write(data);
      end = (end + data.toString()).slice(-8_000);
    });
  const limit = AbortSignal.timeout(limitMinutes * 60_000);
  const stopping = AbortSignal.any([limit, interrupted]);
  const closed = once(child, 'close');
  const stop = async () => {
    signalGroup('SIGTERM');
    await Promise.race([closed, delay(graceMs)]);
    signalGroup('SIGKILL');
  };
  stopping.addEventListener('abort', stop);
  const [exitCode, signal] = await closed;
  stopping.removeEventListener('abort', stop);
  signalGroup('SIGKILL');
  log.end();
  const lines = stripVTControlCharacters(end)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const verdict = exitCode === 0 ? 'passed' : `failed (${exitCode ?? signal})`;
  const stopped = interrupted.aborted ? 'interrupted' : `timed out after ${limitMinutes} min`;
  return {
    part,
    verdict: stopping.aborted ? stopped : verdict,
    seconds: (performance.now() - begun) / 1000,
    lastLines: lines.slice(-maxLastLines),
  };
}

function summaryOf(outcomes: readonly Outcome[], seed: number): string {
  const rows = outcomes.map(
    ({ part, verdict, seconds }) =>
      `| ${part.name} | ${verdict === 'passed' ? verdict : `**${verdict}**`} | ${Math.round(seconds)} s |`,
  );
  const ends = outcomes.map(
    ({ part, lastLines }) => `\n### ${part.name}\n\n\`\`\`\n${lastLines.join('\n')}\n\`\`\`\n`,
  );
  return [`# Nightly, seed ${seed}`, '', '| part | outcome | took |', '|---|---|---|', ...rows, ...ends].join(
    '\n',
  );
}

await runScript(async () => {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, only: { type: 'string', multiple: true } },
  });
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('seed', values.seed, 0);
  const all = partsOf(seed);
  const unknown = values.only?.find((name) => !all.some((part) => part.name === name));
  if (unknown !== undefined)
    throw new OptionError(`--only ${unknown}: there are ${all.map(({ name }) => name).join(', ')}`);
  const parts = values.only === undefined ? all : all.filter(({ name }) => values.only?.includes(name));

  mkdirSync(reports, { recursive: true });
  console.info(`seed ${seed}; npm run nightly -- --seed ${seed} repeats it. Output: reports/nightly/`);
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interruption.abort());
  const outcomes: Outcome[] = [];
  for (const part of parts) {
    if (interruption.signal.aborted) break;
    console.info(`${part.name} ...`);
    const outcome = await runPart(part, seed, interruption.signal);
    outcomes.push(outcome);
    // After each part, so that an interrupted night has its summary too.
    writeFileSync(join(reports, 'summary.md'), `${summaryOf(outcomes, seed)}\n`);
    console.info(`${outcome.verdict}; it took ${Math.round(outcome.seconds)} s`);
  }
  const passed = outcomes.filter(({ verdict }) => verdict === 'passed').length;
  console.info(`${passed} of ${parts.length} parts passed`);
  return passed === parts.length ? 0 : 1;
});
