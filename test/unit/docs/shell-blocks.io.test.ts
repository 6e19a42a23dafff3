import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { logCatalogue } from '../../../functions/base/log-catalogue.ts';
import { type DocBlock, taskBlocks } from '../../support/doc-blocks.ts';
import { commandLine } from '../cli/support/harness.ts';

/**
 * Every shell block of the pages about tasks runs in a shell, with commands that write down their arguments in place of those that would
 * need AWS, a registry or minutes. What they wrote down is then checked: `sms` by its own parser, `aws` by the schemas of the SDK, `npm`
 * by package.json. test/local/pipeline/transcripts runs each line of `sms` against a pipeline.
 */
const project = resolve(import.meta.dirname, '../../..');
const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
const require = createRequire(import.meta.url);

/** Why a command is replaced. */
const replaced = {
  sms: 'asks a pipeline: the transcripts run each line',
  npm: 'installs, builds or starts: .ci/run and other tests run the scripts',
  npx: 'deploys to AWS, or fetches a package',
  pip: 'installs',
  aws: 'needs AWS',
  curl: 'needs a pipeline',
  git: 'needs a clone',
};

/** Writes down a command and its words. */
const recorded = (command: string) =>
  `{ printf '%s' "${command}"; for word; do printf '\\037%s' "$word"; done; printf '\\036'; } >> "$CALLS"
printf 'true\\n'
`;

const blocks = taskBlocks().filter(({ language }) => language === 'sh');

/** Blocks that only start a file that a page shows, or copy one. */
const callsNothing = /^(?:node receiver\.mjs|sh test\.sh|cp contract\.json \S+)$/m;

/** The functions of the shell that blocks define, for later blocks and other pages. */
const functionsIn = ({ text }: DocBlock) => text.match(/^\w+\(\) \{(?:.*\}\n|.*\n[\s\S]*?^\}\n)/gm) ?? [];
const functions = blocks.flatMap(functionsIn).join('');

/** Writes a block as a script into a folder of its own, with the files that blocks use, and returns the folder. */
function prepared({ text }: DocBlock): string {
  const folder = mkdtempSync(join(tmpdir(), 'doc-block-'));
  for (const app of ['my-app', 'sms-fake']) mkdirSync(join(folder, app));
  writeFileSync(join(folder, 'test.sh'), '');
  // Files of a clone that blocks use, and one that a page shows.
  writeFileSync(join(folder, 'contract.json'), '{}');
  writeFileSync(join(folder, 'receiver.mjs'), '');
  for (const name of ['sent-ids.txt', 'key.txt', 'history-2026.jsonl'])
    writeFileSync(join(folder, name), 'msg-0001\n');
  mkdirSync(join(folder, 'docs/guides/policies'), { recursive: true });
  for (const name of ['operator', 'query-api'])
    writeFileSync(join(folder, `docs/guides/policies/${name}.json`), '{}');
  const script = `${functions}\n${text.replaceAll(/<([a-z]+)>(?=\/)/g, '$1')}`;
  const variables = [...script.matchAll(/\$([A-Z][A-Z_]+)/g)].map(([, name]) => `${name}=value`);
  const settings = [...new Set(variables), 'QUERY_URL=http://127.0.0.1:4000/v1', `CALLS='${folder}/calls'`];
  writeFileSync(join(folder, '.block'), `export ${settings.join(' ')}\n${script}`);
  return folder;
}

let folders: ReadonlyMap<DocBlock, string>;
beforeAll(() => {
  folders = new Map(blocks.map((block) => [block, prepared(block)]));
  const names = Object.keys(replaced);
  // A block that has another program start a command, such as xargs, finds it as a program.
  const bin = mkdtempSync(join(tmpdir(), 'doc-commands-'));
  for (const name of names) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${recorded(name)}`);
    chmodSync(join(bin, name), 0o755);
  }
  // One shell for all blocks, in which the commands are functions: the start of a process takes longer than a block.
  const script = `${names.map((name) => `${name}() {\n${recorded(name)}}\n`).join('')}
for folder; do
  (cd "$folder"; set -eu; . ./.block) > "$folder/.output" 2>&1 < /dev/null
  echo $? > "$folder/.code"
done`;
  const PATH = [bin, process.env.PATH].join(delimiter);
  execFileSync('sh', ['-c', script, 'sh', ...folders.values()], { env: { PATH } });
});

/** Returns the calls of the replaced commands that a block made, each with its arguments. */
function callsOf(block: DocBlock): string[][] {
  const read = (name: string) => {
    const path = join(folders.get(block) ?? '', name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  expect([read('.code'), read('.output')]).toEqual(['0\n', expect.anything()]);
  return read('calls')
    .split('\u001e')
    .filter((call) => call !== '')
    .map((call) => call.split('\u001f'));
}

/** Returns what is wrong with a call. */
async function problemOf([command, ...words]: readonly string[]): Promise<string | undefined> {
  if (command === 'sms') return parsed(words);
  if (command === 'npm') return npmProblem(words);
  if (command === 'npx') return npxProblem(words);
  if (command === 'aws') return awsProblem(words);
  if (command === 'pip') return words[0] === 'install' ? undefined : `pip ${words[0]}?`;
  if (command === 'git') return gitVerbs.has(words[0] ?? '') ? undefined : `git ${words[0]}?`;
  return words.some((word) =>
    /^http:\/\/127\.0\.0\.1:40(?:0[0-4]|10)\/|^https:\/\/(?:sms\.example\.com|api\.twilio\.com|a1b2c3d4e5\.execute-api\.eu-west-1\.amazonaws\.com\/v1)\//.test(
      word,
    ),
  )
    ? undefined
    : 'an unknown address';
}

async function parsed(words: readonly string[]): Promise<string | undefined> {
  const { err, isParsed } = await commandLine().parse(...words);
  return isParsed ? undefined : err;
}

function npmProblem([verb, ...words]: readonly string[]): Promise<string | undefined> | string | undefined {
  if (verb === 'start') return parsed(['start', ...words.slice(1)]);
  if (verb !== 'run')
    return ['ci', 'install', 'pack', 'test'].includes(verb ?? '') ? undefined : `npm ${verb}?`;
  const [script = '', ...rest] = words.filter((word) => word !== '-s');
  if (!(script in scripts)) return `no script ${script}`;
  return script === 'sms' ? parsed(rest.slice(1)) : undefined;
}

const gitVerbs = new Set([
  'add',
  'checkout',
  'commit',
  'diff',
  'fetch',
  'log',
  'merge',
  'revert',
  'rev-parse',
  'switch',
  'tag',
]);

const stacks = /^(?:SmsPipeline|MyStack)$/;
const cdkOptions = new Set([
  '--all',
  '-q',
  '--resource-mapping',
  'import.json',
  '--revert-drift',
  '--cloudformation-execution-policies',
  'arn:aws:iam::123456789012:policy/my-limits',
]);
const exampleOptions = new Set(['--output', '--parameters']);

function npxProblem(call: readonly string[]): Promise<string | undefined> | string | undefined {
  const [name = '', ...words] = call[0] === '--yes' ? call.slice(1) : call;
  if (name === 'tsx') return words.join(' ') === '--test open-ticket.test.ts' ? undefined : 'tsx?';
  if (name !== 'cdk') return parsed(words);
  const [verb = '', ...rest] = words;
  if (verb === 'init') return rest.join(' ') === 'app --language typescript' ? undefined : 'cdk init?';
  if (!['bootstrap', 'deploy', 'destroy', 'diff', 'drift', 'import', 'list', 'synth'].includes(verb))
    return `cdk ${verb}?`;
  const at = rest.indexOf('--app');
  if (at === -1) return rest.find((word) => !stacks.test(word) && !cdkOptions.has(word));
  // The app of an example has one stack, which needs no name.
  const [, file = ''] = /^node (examples\/\S+)$/.exec(rest[at + 1] ?? '') ?? [];
  if (!existsSync(join(project, file)) || file === '') return `no app ${rest[at + 1]}`;
  const options = rest.toSpliced(at, 2);
  return options.find((word, index) => (index % 2 === 0 ? !exampleOptions.has(word) : word.startsWith('--')));
}

/** Options of every operation of the AWS CLI, and one that it has renamed (`Endpoint` of SNS's Subscribe). */
const commonOptions = new Set([
  'query',
  'output',
  'cli-read-timeout',
  'endpoint-url',
  'region',
  'profile',
  'notification-endpoint',
]);

/** The SDKs of these services are not installed, so the options were read in their documentation. */
const documentedOptions: Readonly<Record<string, ReadonlyMap<string, string[]>>> = {
  apigatewayv2: new Map([
    ['update-stage', ['api-id', 'stage-name', 'default-route-settings']],
    ['get-stage', ['api-id', 'stage-name']],
    ['get-domain-name', ['domain-name']],
    ['get-api', ['api-id']],
  ]),
  sts: new Map([['get-caller-identity', []]]),
  'service-quotas': new Map([
    ['list-service-quotas', ['service-code']],
    ['request-service-quota-increase', ['service-code', 'quota-code', 'desired-value']],
    ['list-requested-service-quota-change-history', ['service-code']],
  ]),
  ce: new Map([
    ['update-cost-allocation-tags-status', ['cost-allocation-tags-status']],
    ['get-cost-and-usage', ['time-period', 'granularity', 'metrics', 'group-by']],
  ]),
  configure: new Map([['export-credentials', ['profile', 'format']]]),
  s3: new Map([
    ['mb', []],
    ['cp', ['storage-class']],
    ['rm', ['recursive']],
    ['sync', []],
  ]),
  'cognito-idp': new Map([
    ['admin-create-user', ['user-pool-id', 'username', 'user-attributes']],
    ['admin-add-user-to-group', ['user-pool-id', 'username', 'group-name']],
    ['admin-remove-user-from-group', ['user-pool-id', 'username', 'group-name']],
    ['admin-get-user', ['user-pool-id', 'username', 'query']],
    ['admin-disable-user', ['user-pool-id', 'username']],
    ['admin-reset-user-password', ['user-pool-id', 'username']],
    ['admin-delete-software-token', ['user-pool-id', 'username']],
  ]),
  iam: new Map([
    ['create-policy', ['policy-name', 'policy-document']],
    ['create-policy-version', ['policy-arn', 'policy-document', 'set-as-default']],
    ['create-group', ['group-name']],
    ['create-role', ['role-name', 'assume-role-policy-document']],
    ['attach-group-policy', ['group-name', 'policy-arn']],
    ['add-user-to-group', ['group-name', 'user-name']],
    ['attach-role-policy', ['role-name', 'policy-arn']],
    ['put-user-policy', ['user-name', 'policy-name', 'policy-document']],
  ]),
};

const clients: Readonly<Record<string, string>> = {
  events: 'eventbridge',
  logs: 'cloudwatch-logs',
  s3api: 's3',
  secretsmanager: 'secrets-manager',
};

const logGroups = readFileSync(join(project, 'test/infra/deployable/pinned.txt'), 'utf8');

function awsProblem([service = '', operation = '', ...words]: readonly string[]): string | undefined {
  const documented = documentedOptions[service];
  const accepted = documented ? documented.get(operation) : optionsOf(service, operation);
  if (accepted === undefined) return `aws ${service} ${operation}?`;
  const code = words[words.indexOf('--filter-pattern') + 1]?.match(/^"([A-Z]+-\d+)"$/)?.[1];
  if (code !== undefined && !codes.has(code)) return `no log line ${code}`;
  const logs = /LogicalResourceId, '(\w+Logs)'/.exec(words.join(' '))?.[1];
  if (logs !== undefined && !logGroups.includes(logs)) return `no log group ${logs}`;
  return words
    .flatMap((word) => /^--(?:no-)?(.+)$/.exec(word)?.[1] ?? [])
    .find((option) => !commonOptions.has(option) && !accepted.includes(option));
}

const codes = new Set(Object.values(logCatalogue).map(({ code }) => code as string));

/** The options of an operation, from the schema of its input. */
function optionsOf(service: string, operation: string): string[] | undefined {
  const client = require(`@aws-sdk/client-${clients[service] ?? service}`);
  // The input of Lambda's Invoke is an InvocationRequest.
  const name = operation
    .replace(/^invoke$/, 'invocation')
    .replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const input = Object.entries(client).find(([key]) =>
    new RegExp(`^${name}(?:Input|Request)\\$$`, 'i').test(key),
  )?.[1];
  const members = (input as readonly unknown[] | undefined)?.[4] as readonly string[] | undefined;
  return members?.map((member) => member.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-').toLowerCase());
}

describe('shell blocks', () => {
  it('are found', () => {
    expect(blocks.length).toBeGreaterThan(50);
    expect(functions).toContain('log() {');
    expect(functions).toContain('signed() {');
  });

  it.each(blocks)('of $path, line $line, run in a shell and call what exists', async (block) => {
    const calls = callsOf(block);
    const problems = await Promise.all(calls.map(async (call) => [call.join(' '), await problemOf(call)]));
    expect(problems.filter(([, problem]) => problem !== undefined)).toEqual([]);
    const isSilent = functionsIn(block).length > 0 || callsNothing.test(block.text);
    expect(calls.length).toBeGreaterThanOrEqual(isSilent ? 0 : 1);
  });

  it.each([
    ['is downloaded whole', '', 'uploaded'],
    ['has only lines of the person', 'one', 'uploaded'],
    ['is downloaded in part, without an error', 'cut', 'kept'],
    ['is downloaded in part, with an error', 'failed', 'kept'],
  ])('of erase.md uploads an export without the lines of the person only if it %s', (_, how, outcome) => {
    const block = blocks.find(({ path, text }) => path.endsWith('erase.md') && text.includes('without.json'));
    const lines = ['{"phone":"+12025550143"}', '{"phone":"+12025550144"}', '{"to":"+12025550143"}'];
    const stored = how === 'one' ? lines.filter((line) => line.includes('0143')) : lines;
    const whole = gzipSync(stored.map((line) => `${line}\n`).join(''));
    const folder = mkdtempSync(join(tmpdir(), 'doc-export-'));
    writeFileSync(join(folder, 'stored.gz'), whole);
    writeFileSync(join(folder, 'cut.gz'), whole.subarray(0, whole.length - 12));
    const download = how === 'cut' || how === 'failed' ? 'cut.gz' : 'stored.gz';
    // It is called as aws s3 cp <source> <target>.
    const aws = `aws() {
  case "$3" in
    s3://*) cat ${download} > "$(test "$4" = - && echo /dev/stdout || echo "$4")"; ${how === 'failed' ? 'return 1' : ''} ;;
    *) cp "$3" uploaded.gz ;;
  esac
}`;
    execFileSync('sh', ['-c', `${aws}\n${block?.text}`], { cwd: folder, stdio: 'pipe' });
    const uploaded = existsSync(join(folder, 'uploaded.gz'))
      ? gunzipSync(readFileSync(join(folder, 'uploaded.gz'))).toString()
      : undefined;
    const others = stored.filter((line) => !line.includes('0143')).map((line) => `${line}\n`);
    expect(uploaded).toBe(outcome === 'uploaded' ? others.join('') : undefined);
    expect(readdirSync(folder).filter((name) => /json/.test(name))).toEqual([]);
  });

  it('run in one folder: none packs the clone and installs the package in an app', () => {
    const both = blocks.filter(({ text }) => /npm pack/.test(text) && /npm install \S*\.tgz/.test(text));
    expect(both).toEqual([]);
  });

  it.each([
    [['sms', 'message', 'gte', 'msg-1']],
    [['npm', 'run', 'nosuch']],
    [['git', 'push']],
    [['npx', 'cdk', 'destroy', 'SmsPipeline-Nothing']],
    [['aws', 'sns', 'subscribe', '--topic', 'arn']],
    [['aws', 'logs', 'filter-log-events', '--filter-pattern', '"SETUP-99"']],
    [
      [
        'aws',
        'cloudformation',
        'list-stack-resources',
        '--query',
        "[?contains(LogicalResourceId, 'NoSuchLogs')]",
      ],
    ],
    [['curl', 'http://127.0.0.1:1/']],
  ])('such as %j would fail', async (call) => {
    expect(await problemOf(call)).toBeTypeOf('string');
  });
});
