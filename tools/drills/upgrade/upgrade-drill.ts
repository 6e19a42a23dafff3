/**
 * `npm run upgrade-drill [-- --from REF]`: an app that `init` of an earlier version wrote stores data, installs the next version, and goes on.
 * Exit code 0 if nothing is replaced, no file of the user changes and the history is still there.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { projectContext } from '../../../contract/document/project-store.ts';
import { readCloudAssembly, type Stack } from '../../../local/cloudformation/cloud-assembly.ts';
import { synthesize } from '../../../local/cloudformation/synthesize.ts';
import project from '../../../package.json' with { type: 'json' };
import { printVerdict } from '../../engine/print.ts';
import { freePorts } from '../../support/free-port.ts';
import { runScript } from '../../support/run-script.ts';
import { until } from '../../support/until.ts';
import { comparison, upgradeProblems } from './upgrade-problems.ts';

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);
const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };

/** The newest release; undefined before the first one. */
function newestRelease(): string | undefined {
  const tags = execFileSync('git', ['tag', '--list', 'v*', '--sort=-version:refname'], { cwd: root });
  return tags
    .toString()
    .split('\n')
    .find((tag) => tag !== '');
}

/** Packs the sources of a folder, as their version or another. @returns the tarball */
async function pack(sources: string, folder: string, ...version: readonly string[]): Promise<string> {
  const out = mkdtempSync(join(folder, 'package-'));
  const script = join(sources, 'tools/package/build-package.ts');
  await run(process.execPath, [script, '--out', out, ...version], { cwd: sources });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: out });
  return join(folder, JSON.parse(stdout)[0].filename);
}

/** Runs `use` on the sources of a commit, or on those here. */
async function withSources<T>(
  ref: string | undefined,
  folder: string,
  use: (sources: string) => Promise<T>,
): Promise<T> {
  if (ref === undefined) return use(root);
  const sources = join(folder, 'sources');
  await run('git', ['worktree', 'add', '--detach', sources, ref], { cwd: root });
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'));
  return use(sources).finally(() => run('git', ['worktree', 'remove', '--force', sources], { cwd: root }));
}

/** The app's own files, by name. What npm writes is left out. */
function ownFiles(app: string): Record<string, string> {
  const names = readdirSync(app, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith('package'),
  );
  return Object.fromEntries(names.map(({ name }) => [name, readFileSync(join(app, name), 'utf8')]));
}

async function stacksOf(app: string, folder: string): Promise<Stack[]> {
  await synthesize(app, folder, projectContext(app));
  return readCloudAssembly(folder);
}

const sms = (app: string, args: readonly string[]) =>
  run(process.execPath, [join(app, 'node_modules/.bin/sms'), ...args], { cwd: app, env });

/** Runs the app on this machine with its tables of before for as long as it is used. */
async function whileStarted(app: string, use: () => Promise<void>): Promise<void> {
  const port = String(await freePorts(5));
  const args = [join(app, 'node_modules/.bin/sms'), 'start', '--no-demo', '--keep', '--port', port];
  const child = spawn(process.execPath, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const end = () => child.kill('SIGINT');
  process.once('exit', end);
  try {
    await new Promise<void>((ready, failed) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('ready ')) ready();
      });
      void exited.then(() => failed(new Error('the app did not start')));
    });
    await use();
  } finally {
    end();
    await exited;
    process.off('exit', end);
  }
}

async function isStored(app: string, message: string): Promise<boolean> {
  const answer = await sms(app, ['message', 'get', message, '--local']).catch(() => undefined);
  return answer?.stdout.includes('delivered, final') ?? false;
}

async function store(app: string, message: string): Promise<void> {
  await sms(app, ['webhook', 'test', '--local', '--message-id', message]);
  await until(`${message} is in history`, () => isStored(app, message));
}

async function drill(folder: string, from: string | undefined): Promise<string[]> {
  const next = project.version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
  const older = await withSources(from, folder, (sources) => pack(sources, folder));
  const newer = await pack(root, folder, '--version', next);
  console.log(comparison(from, next));

  const app = join(folder, 'app');
  await run('npx', ['--yes', `--package=${older}`, '--', 'sms-event-pipeline', 'init', app], {
    cwd: folder,
    env,
  });
  const install = (tarball: string) =>
    run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], { cwd: app, env });
  await install(older);
  const files = ownFiles(app);
  const before = await stacksOf(app, join(folder, 'before'));
  await whileStarted(app, () => store(app, 'before-the-upgrade'));
  console.log(`init, ${before.length} stacks, one message stored`);

  await install(newer);
  const { stdout: version } = await sms(app, ['--version']);
  const after = await stacksOf(app, join(folder, 'after'));
  const problems = upgradeProblems(before, after, 'SmsPipeline');
  if (version.trim() !== next) problems.push(`the app runs ${version.trim()}`);
  const changed = ownFiles(app);
  for (const [name, text] of Object.entries(files))
    if (changed[name] !== text) problems.push(`${name} changed`);
  await run(process.execPath, ['--test'], { cwd: app, env });
  await whileStarted(app, async () => {
    if (!(await isStored(app, 'before-the-upgrade'))) problems.push('the history of before is gone');
    await store(app, 'after-the-upgrade');
  });
  console.log(`upgraded to ${next}: the history of before, and one message more`);
  return problems;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { from: { type: 'string' } } });
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  try {
    return printVerdict(await drill(folder, values.from ?? newestRelease()));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await runScript(main);
