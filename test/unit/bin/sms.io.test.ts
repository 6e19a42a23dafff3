import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { startServer } from '../cli/support/server.ts';

const project = resolve(import.meta.dirname, '../../..');
const elsewhere = mkdtempSync(join(tmpdir(), 'sms-caller-'));
afterAll(() => rmSync(elsewhere, { recursive: true }));

async function run(command: string, args: readonly string[], folder: string, env = {}) {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, [...args], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    if (!(error instanceof Error && 'stdout' in error && 'stderr' in error && 'code' in error)) throw error;
    return { code: Number(error.code), out: String(error.stdout), err: String(error.stderr) };
  }
}

const ways = [
  {
    way: 'npm run --prefix',
    sms: (folder: string, ...args: string[]) =>
      run('npm', ['run', '-s', 'sms', '--prefix', project, '--', ...args], folder),
  },
  {
    way: 'node bin/sms.ts',
    // The environment is that of a script of npm that changes the folder before it runs the command.
    sms: (folder: string, ...args: string[]) =>
      run(process.execPath, [join(project, 'bin/sms.ts'), ...args], folder, {
        INIT_CWD: project,
        npm_lifecycle_event: 'sms',
      }),
  },
];

/** A new folder with the outputs of a pipeline whose tables are empty. */
async function callersFolder(): Promise<string> {
  const folder = mkdtempSync(join(elsewhere, 'folder-'));
  const { port } = await startServer(({ headers }) => ({
    type: 'application/x-amz-json-1.0',
    body: String(headers['x-amz-target']).endsWith('BatchGetItem')
      ? '{"Responses": {}, "UnprocessedKeys": {}}'
      : '{"Items": [], "Count": 0}',
  }));
  mkdirSync(join(folder, 'outputs'));
  const outputs = {
    SmsPipeline: {
      HistoryTableName: 'history',
      QuarantineTableName: 'quarantine',
      WebhookUrl: `http://127.0.0.1:${port - 2}/webhooks/sms`,
      ListShards: '1',
    },
  };
  writeFileSync(join(folder, 'outputs', 'outputs.json'), JSON.stringify(outputs));
  return folder;
}

const shipped = JSON.parse(readFileSync(join(project, 'contract.json'), 'utf8'));

describe.each(ways)('a command called from another folder ($way)', ({ sms }) => {
  it('writes the data of a person there, and never into the project', async () => {
    const folder = await callersFolder();
    const { code, err } = await sms(
      folder,
      ...['person', 'export', '+12025550143', '--out', 'person.jsonl', '--dir', 'outputs'],
    );
    expect([code, err]).toEqual([0, 'Nothing is stored about this number. Check its spelling.\n']);
    expect(readdirSync(folder).sort()).toEqual(['outputs', 'person.jsonl']);
    expect(existsSync(join(project, 'person.jsonl'))).toBe(false);
  });

  it('reads its contract, captures and secret there', async () => {
    const folder = await callersFolder();
    const statuses = { ...shipped.statuses, handed_over: 'sent' };
    writeFileSync(join(folder, 'mine.json'), JSON.stringify({ ...shipped, statuses }));
    writeFileSync(join(folder, 'secret.txt'), 'whsec_c2VjcmV0');
    writeFileSync(
      join(folder, 'capture.json'),
      '[{"url": "https://example.com/", "headers": {}, "body": "{}"}]',
    );
    const { out, err } = await sms(
      folder,
      ...['contract', 'test', '--contract', 'mine.json', '--secret-file', 'secret.txt'],
      ...['--file', 'capture.json', '--json'],
    );
    expect(err).toBe('error: 1 of 3 requests failed.\n');
    expect(out).toContain('"mine.json"');
    expect(out).toContain('capture.json');
  });

  it("uses the project's contract by default", async () => {
    const { code } = await sms(await callersFolder(), 'contract', 'test');
    expect(code).toBe(0);
  });
});

it('sms on a version of Node that cannot run it names the one that can', async () => {
  const older =
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
  const { code, err } = await run(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(older)}`,
      join(project, 'bin/sms.ts'),
      '--version',
    ],
    elsewhere,
  );
  expect([code, err]).toEqual([1, 'error: sms needs Node 22.18 or newer, this is 20.20.2.\n']);
});

describe('the compiled code', () => {
  const start = async (caches: string, settings: Record<string, string> = {}) => {
    const temporary = mkdtempSync(join(elsewhere, 'temporary-'));
    // The caches are below the current folder, as they are in a home.
    const { code } = await run(process.execPath, [join(project, 'bin/sms.ts'), '--version'], elsewhere, {
      TMPDIR: temporary,
      XDG_CACHE_HOME: caches,
      ...settings,
      NODE_COMPILE_CACHE: undefined,
      NODE_V8_COVERAGE: undefined,
      // Vitest sets it while it measures coverage.
      NODE_DISABLE_COMPILE_CACHE: undefined,
    });
    expect(code).toBe(0);
    const folder = join(caches, 'sms-event-pipeline');
    return { temporary: readdirSync(temporary), cached: existsSync(folder) ? readdirSync(folder) : [] };
  };

  it('is kept where only this user writes, never in the folder for temporary files, where others could put code', async () => {
    const caches = mkdtempSync(join(elsewhere, 'caches-'));
    const { temporary, cached } = await start(caches);
    expect([temporary, cached.length]).toEqual([[], 1]);
    expect(statSync(join(caches, 'sms-event-pipeline')).mode & 0o777).toBe(0o700);
  });

  it('is not kept in a folder that others can write', async () => {
    const caches = mkdtempSync(join(elsewhere, 'caches-'));
    mkdirSync(join(caches, 'sms-event-pipeline'));
    chmodSync(join(caches, 'sms-event-pipeline'), 0o777);
    expect(await start(caches)).toEqual({ temporary: [], cached: [] });
  });

  it('is not kept below the current folder for a user without a home', async () => {
    expect(await start('', { HOME: '' })).toEqual({ temporary: [], cached: [] });
    expect(readdirSync(elsewhere)).not.toContain('.cache');
  });
});

describe('npm start called from another folder', () => {
  it('resolves its --dir from there', async () => {
    const folder = mkdtempSync(join(elsewhere, 'start-'));
    mkdirSync(join(folder, 'outputs'));
    writeFileSync(join(folder, 'outputs', 'notes.txt'), 'not ours');
    // A port that is taken: nothing is started, whatever the folder.
    const { port } = await startServer(() => ({}));
    const { code, err } = await run(
      'npm',
      ['start', '-s', '--prefix', project, '--', '--dir', 'outputs', '--port', String(port)],
      folder,
    );
    expect([code, err]).toEqual([1, expect.stringContaining(`${join(folder, 'outputs')} holds other files`)]);
    expect(existsSync(join(project, 'outputs'))).toBe(false);
  });
});

describe('npm start', () => {
  it('makes its --dir for this user alone', async () => {
    const folder = mkdtempSync(join(elsewhere, 'start-'));
    // A port that is taken: nothing is started.
    const { port } = await startServer(() => ({}));
    const args = [join(project, 'local/start.ts'), '--dir', join(folder, 'new'), '--port', String(port)];
    const { code, err } = await run(process.execPath, args, folder);
    // Another process may have one of the next ports: then several are named.
    expect([code, err]).toEqual([1, expect.stringMatching(new RegExp(`^ports? ${port} `))]);
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700);
  });
});

describe('the time zone of the environment', () => {
  const list = async (TZ: string) => {
    const args = ['message', 'list', '--since', 'yesterday', '--dir', 'outputs'];
    return run(process.execPath, [join(project, 'bin/sms.ts'), ...args], await callersFolder(), { TZ });
  };

  it.each(['', ':UTC', 'Europe/Berlin'])('TZ=%s is used', async (zone) => {
    expect(await list(zone)).toMatchObject({ code: 0 });
  });

  it('that does not exist is named, without a stack trace', async () => {
    const { code, err } = await list('Foo/Bar');
    expect([code, err.trim()]).toEqual([
      1,
      'error: TZ is "Foo/Bar", which is no name of a time zone. Set TZ to a name such as Europe/Berlin or UTC, or unset it.',
    ]);
  });
});
