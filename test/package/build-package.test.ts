import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildFunctions } from '../../lib/bundling/build-functions.ts';
import project from '../../package.json' with { type: 'json' };
import { buildCommands } from '../../tools/package/build-commands.ts';
import { deadLinks } from '../../tools/package/links.ts';
import { install, packPackage, type Tarball } from '../support/packed-package.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'foreign-app-'));
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const installed = (name: string): string =>
  readJson(join(root, 'node_modules', name, 'package.json')).version;

/** The five lines of the README, in a stack with a bucket that breaks rules of cdk-nag. */
const body = `
const app = new App();
const stack = new Stack(app, 'Shop');
new CfnBucket(stack, 'NotCompliant');
const topic = new Topic(stack, 'Alarms');
const sms = new SmsPipeline(stack, 'Sms', {
  contract: Contract.fromFile(process.argv[2]),
  apiKey: Secret.fromSecretNameV2(stack, 'Key', 'sms/api-key'),
  alarms: { topic },
  automations: [Automation.failureAlert({ topic })],
});
sms.events.onReply(Target.sqs(new Queue(stack, 'Stops')), { keyword: ['stop'] });
app.synth();
`;
const imports = [
  ['App, Stack', 'aws-cdk-lib'],
  ['CfnBucket', 'aws-cdk-lib/aws-s3'],
  ['Secret', 'aws-cdk-lib/aws-secretsmanager'],
  ['Topic', 'aws-cdk-lib/aws-sns'],
  ['Queue', 'aws-cdk-lib/aws-sqs'],
  ['Automation, Contract, SmsPipeline, Target', 'sms-event-pipeline'],
] as const;
/** The example of docs/reference/http-api.md. */
const [, query = ''] =
  /```ts\n(import .*?)```/s.exec(readFileSync(join(root, 'docs/reference/http-api.md'), 'utf8')) ?? [];
const requiring = query.replace(/^import (.*) from ('.*');$/m, 'const $1 = require($2);');
const apps = {
  CommonJS: [
    'app.cjs',
    imports.map(([names, from]) => `const { ${names} } = require('${from}');`),
    `(async () => {${requiring}})();`,
  ],
  ESM: ['app.mjs', imports.map(([names, from]) => `import { ${names} } from '${from}';`), query],
} as const;

/** The packed package, and the paths of the files in it. */
let tarball: Tarball;
/** The functions in it. */
let functions: string;

beforeAll(async () => {
  tarball = await packPackage(folder);
  functions = brotliDecompressSync(readFileSync(join(folder, 'package/dist/functions.json.br'))).toString();

  const first = join(folder, 'CommonJS');
  const packages = ['aws-cdk-lib', 'constructs', '@types/node'];
  await install(first, [tarball.path, ...packages.map((name) => `${name}@${installed(name)}`)]);
  mkdirSync(join(folder, 'ESM'));
  symlinkSync(join(first, 'node_modules'), join(folder, 'ESM/node_modules'));
});

it('llms.txt leads to pages that the package has', () => {
  const index = readFileSync(join(folder, 'package/llms.txt'), 'utf8');
  const links = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((link) => !tarball.files.includes(link ?? ''))).toEqual([]);
});

it('the package has at most 2.6 MB, and holds no test and no source', () => {
  expect(statSync(tarball.path).size).toBeLessThanOrEqual(2.6 * 1024 * 1024);
  expect(tarball.files.filter((path) => /(^|\/)test\/|\.test\.|(?<!\.d)\.ts$|\.map$/.test(path))).toEqual([]);
});

it('the package holds the functions as a clone builds them, and names every package that is bundled in it, with its licence', async () => {
  const built = await buildFunctions({ root, outdir: join(folder, 'functions') });
  expect(JSON.parse(functions)).toEqual(built);
  const { metafile } = await buildCommands(root, join(folder, 'commands'), project);
  const outputs = { ...readJson(join(folder, 'functions/meta.json')).outputs, ...metafile.outputs };
  const inputs: string[] = Object.values<{ inputs: object }>(outputs).flatMap((made) =>
    Object.keys(made.inputs),
  );
  const paths = inputs.flatMap((path) => /node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  const licences = readFileSync(join(folder, 'package/THIRD-PARTY-LICENSES'), 'utf8');
  const titles = licences.split('\n').filter((line) => /^\S+ \d\S+ \(.+\)$/.test(line));
  const named = new Set(titles.map((line) => line.split(' ')[0]));
  expect(
    [...new Set(['cdk-nag', 'react-dom', '@tanstack/router-core', ...paths])].filter(
      (name) => !named.has(name),
    ),
  ).toEqual([]);
  for (const line of [
    'Apache License',
    'Copyright (c) 2011 TJ Holowaychuk',
    '2017-2026 will Farrell, Luciano',
    // The SDK of the Model Context Protocol holds copies of these.
    'Evgeny Poberezkin',
    'Douglas Christopher Wilson',
  ])
    expect(licences).toContain(line);
  expect(tarball.files).toContain('THIRD-PARTY-LICENSES');
});

it('the package holds each page that its pages link to, and that its messages name', () => {
  const packed = join(folder, 'package');
  expect(deadLinks(packed)).toEqual([]);
  expect(readFileSync(join(packed, 'README.md'), 'utf8')).toContain('](docs/operate/alarms.md)');
  const programs = tarball.files.filter((path) => /^(dist\/run\/|lib\/inner\.js)/.test(path));
  const texts = programs.map((path) => readFileSync(join(packed, path), 'utf8'));
  const named = [...texts, functions].flatMap((text) => text.match(/docs\/[a-z/-]+\.md/g) ?? []);
  expect(named).toContain('docs/operate/alarms.md');
  expect(named.filter((page) => !tarball.files.includes(page))).toEqual([]);
});

it('the package holds a JSON schema of what a command writes with --json', () => {
  expect(readJson(join(folder, 'package/schemas/cli/message-get.json')).title).toBe('sms message get --json');
});

it("the package holds the console's page, built for production", () => {
  const page = join(folder, 'package/dist/console');
  const html = readFileSync(join(page, 'index.html'), 'utf8');
  const [, script = ''] = /<script type="module" crossorigin src="([^"]+)"/.exec(html) ?? [];
  expect(tarball.files).toContain(`dist/console${script}`);
  // All pages are in it. A build for development has more than a megabyte.
  expect(statSync(join(page, script)).size).toBeLessThan(800_000);
});

it('an app that installs it has one copy of the CDK, and no SDK of AWS', async () => {
  const { stdout } = await run('npm', ['ls', '--all', '--parseable'], { cwd: join(folder, 'CommonJS') });
  const paths = stdout.split('\n');
  expect(paths.filter((path) => path.endsWith('/aws-cdk-lib'))).toHaveLength(1);
  expect(paths.filter((path) => /@aws-sdk|esbuild|cdk-nag/.test(path))).toEqual([]);
});

describe.each(Object.entries(apps))('an app of %s', (kind, [file, head, queryScript]) => {
  it('synthesizes the pipeline beside what breaks rules of cdk-nag', async () => {
    const cwd = join(folder, kind);
    writeFileSync(join(cwd, file), `${head.join('\n')}\n${body}`);
    cpSync(join(root, 'contract.json'), join(cwd, 'contract.json'));
    const env = { PATH: process.env.PATH, CDK_OUTDIR: join(cwd, 'cdk.out') };
    await run(process.execPath, [file, 'contract.json'], { cwd, env });
    const template = JSON.parse(readFileSync(join(cwd, 'cdk.out/Shop.template.json'), 'utf8'));
    const resources: { Type: string }[] = Object.values(template.Resources);
    expect(resources.filter(({ Type }) => Type === 'AWS::Lambda::Function')).toHaveLength(8);
    expect(Object.keys(template.Outputs)).toContainEqual(expect.stringMatching(/^SmsWebhookUrl[0-9A-F]{8}$/));
  });

  it('asks the query API as docs/reference/http-api.md shows, with signed requests', async () => {
    const cwd = join(folder, kind);
    const name = file.replace('app', 'query');
    writeFileSync(join(cwd, name), queryScript);
    const { paths } = JSON.parse(readFileSync(join(root, 'docs/reference/openapi.json'), 'utf8'));
    const exampleOf = (path: string) => paths[path].get.responses[200].content['application/json'].example;
    const asked: string[] = [];
    const server = createServer(({ url = '', headers: { authorization = '' } }, response) => {
      asked.push(`${url} ${/\/execute-api\/.*Signature=[0-9a-f]{64}$/.test(authorization)}`);
      const example = exampleOf(url.includes('replies') ? '/v1/replies' : '/v1/messages/{messageId}');
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(example));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const env = { PATH: process.env.PATH, QUERY_URL: `http://127.0.0.1:${port}/v1` };
    const { stdout } = await run(process.execPath, [name], { cwd, env }).finally(() => server.close());
    expect(asked).toEqual(['/v1/messages/msg-1 true', '/v1/replies?since=2026-01-15T00%3A00%3A00Z true']);
    expect(stdout).toBe('delivered 2\nYes\n');
  });
});

/** The code of a function in a user's app, as `NodejsFunction` bundles it. */
const bundle = (contents: string, options: Pick<BuildOptions, 'conditions'> = {}) =>
  build({
    stdin: { contents, resolveDir: join(folder, 'CommonJS'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    external: ['@aws-sdk/*', '@smithy/*', 'aws-cdk-lib'],
    write: false,
    metafile: true,
    logLevel: 'silent',
    ...options,
  });

describe('the code of a function', () => {
  const sentence = 'Import sms-event-pipeline/events in the code of a function';
  const construct =
    "import { SmsPipeline } from 'sms-event-pipeline'; export const handler = () => SmsPipeline;";

  it.each([
    ['CommonJS', 'unit.cjs', "const { detailTypes, exampleEvent } = require('sms-event-pipeline/events');"],
    ['ESM', 'unit.mjs', "import { detailTypes, exampleEvent } from 'sms-event-pipeline/events';"],
  ])('of %s has names and examples of events, in less than 10 KB', async (kind, name, head) => {
    const cwd = join(folder, kind);
    const text = `${head}\nconsole.log(exampleEvent(detailTypes.replyReceived, { text: 'Yes' }).detail.text);`;
    writeFileSync(join(cwd, name), text);
    expect((await run(process.execPath, [name], { cwd })).stdout).toBe('Yes\n');
    const { metafile, outputFiles } = await bundle(text);
    expect(Object.keys(metafile.inputs)).toEqual([
      expect.stringMatching(/sms-event-pipeline\/dist\/events\.js$/),
      '<stdin>',
    ]);
    expect(outputFiles[0]?.contents.length).toBeLessThan(10_000);
  });

  it.each([
    construct,
    "import * as sms from 'sms-event-pipeline'; console.log(sms);",
    "const { SmsPipeline } = require('sms-event-pipeline'); console.log(SmsPipeline);",
  ])('cannot be bundled with the construct: %s', async (code) => {
    await expect(bundle(code)).rejects.toThrow(sentence);
  });

  it("may import the construct's types", async () => {
    const { metafile } = await bundle(
      "import type { SmsPipelineProps } from 'sms-event-pipeline'; export const handler = (props: SmsPipelineProps) => props;",
    );
    expect(Object.keys(metafile.inputs)).toEqual(['<stdin>']);
  });

  const inLambda = "process.argv[1] = '/var/runtime/index.mjs';";
  const failureOf = async (text: string) => {
    const failed: { stderr: string } = await run(process.execPath, ['-e', `${inLambda} ${text}`], {
      cwd: join(folder, 'CommonJS'),
    }).catch((error) => error);
    return failed.stderr;
  };

  it.each(["import('sms-event-pipeline')", "require('sms-event-pipeline')"])(
    'without a bundle fails in Lambda if it has %s',
    async (load) => {
      expect(await failureOf(load)).toContain(`Error: ${sentence}`);
    },
  );

  it('that is bundled with conditions of its own fails in Lambda before it loads the CDK', async () => {
    const { outputFiles } = await bundle(construct, { conditions: ['custom'] });
    const code = (outputFiles[0]?.text ?? '').replaceAll('"aws-cdk-lib"', '"not-installed"');
    writeFileSync(join(folder, 'CommonJS/bundled.cjs'), code);
    expect(await failureOf("require('./bundled.cjs')")).toContain(`Error: ${sentence}`);
  });

  it('is not what a test of the app by Vitest loads', async () => {
    const cwd = join(folder, 'tested-by-vitest');
    mkdirSync(cwd);
    symlinkSync(join(folder, 'CommonJS/node_modules'), join(cwd, 'node_modules'));
    const test = `import { SmsPipeline } from 'sms-event-pipeline';
      import { expect, it } from '${join(root, 'node_modules/vitest/dist/index.js')}';
      it('loads the construct', () => expect(SmsPipeline.name).toBe('SmsPipeline'));`;
    writeFileSync(join(cwd, 'app.test.mjs'), test);
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const { stdout } = await run(process.execPath, [vitest, 'run', '--root', cwd], {
      cwd,
      env: { PATH: process.env.PATH },
    });
    expect(stdout).toMatch(/1 passed/);
    // Vitest 2 has these conditions.
    const conditions = ['--conditions=development', '--conditions=module'];
    const load = ['-p', "require('sms-event-pipeline').SmsPipeline.name"];
    expect((await run(process.execPath, [...conditions, ...load], { cwd })).stdout).toBe('SmsPipeline\n');
  });
});

it('the app of Python asks for the version of the CDK that the repository has', () => {
  const asked = readFileSync(join(root, 'examples/python/requirements.txt'), 'utf8');
  const { 'aws-cdk-lib': cdk, constructs } = project.dependencies;
  expect(asked).toBe(`aws-cdk-lib==${cdk}\nconstructs==${constructs}\n`);
});

it('an app of TypeScript finds the types of props, events and client', async () => {
  const cwd = join(folder, 'CommonJS');
  const handler = `
    import { exampleEvent, type CanonicalStatus, type Details, type SmsEvent } from 'sms-event-pipeline/events';
    export const handler = async ({ detail }: SmsEvent<'SMS Reply Received'>): Promise<string> => detail.from;
    export const idOf = ({ detail }: SmsEvent): string => detail.eventId;
    export const tested = handler(exampleEvent('SMS Reply Received', { text: 'Yes', keyword: undefined }));
    export const statusOf = ({ outcome }: Details['SMS Delivery Status Changed']): CanonicalStatus => outcome === 'success' ? 'read' : 'sent';
    // @ts-expect-error: no such field
    exampleEvent('SMS Reply Received', { body: 'Yes' });
    // @ts-expect-error: no such prop
    new SmsPipeline(stack, 'Other', { contract: Contract.preset('twilio'), apiKeys: [] });`;
  const text = `${apps.ESM[1].join('\n')}\n${body.replace('process.argv[2]', "'contract.json'")}${handler}`;
  writeFileSync(join(cwd, 'app.ts'), text);
  const wrong = `
    export const events = async () => (await sms.getMessage({ messageId: 'm' })).events.length;
    // @ts-expect-error: no such status
    await sms.listMessages({ state: 'failed', status: ['lost'] });`;
  writeFileSync(join(cwd, 'query.mts'), query + wrong);
  const library = { target: 'ES2022', lib: ['ES2022'], types: ['node'] };
  const compilerOptions = { module: 'Node16', strict: true, noEmit: true, ...library };
  writeFileSync(
    join(cwd, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['app.ts', 'query.mts'] }),
  );
  // The nightly test/package/peer-range.test.ts compiles with older versions, and without exports.
  const { stdout } = await run(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc')], {
    cwd,
  }).catch((error) => error);
  expect(stdout).toBe('');
});

describe('an app that init writes', () => {
  const cwd = join(folder, 'my-app');
  const bin = join(folder, 'CommonJS/node_modules/.bin');
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  beforeAll(async () => {
    await run(join(bin, 'sms-event-pipeline'), ['init', 'my-app', '--preset', 'twilio'], {
      cwd: folder,
      env,
    });
    symlinkSync(join(folder, 'CommonJS/node_modules'), join(cwd, 'node_modules'));
  });

  it('passes its test, and uses the contract of its own folder', async () => {
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], { cwd });
    expect(stdout).toMatch(/^# pass 1$/m);
    const { stdout: tested } = await run(join(bin, 'sms'), ['contract', 'test'], { cwd, env });
    expect(tested).toContain('the documented signature of a parameter');
  });

  it('explains a wrong setting without a stack trace', async () => {
    const wrong = { ...env, CDK_CONTEXT_JSON: '{"sms:retentionDays":"ninety"}' };
    const { code, stderr } = await run(process.execPath, ['app.ts'], { cwd, env: wrong }).catch(
      (error) => error,
    );
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Wrong settings .+\n {2}sms:retentionDays: .+\n$/),
    ]);
  });

  it('says what to install for a run on one machine', async () => {
    const { code, stderr } = await run(join(bin, 'sms'), ['start'], { cwd, env }).catch((error) => error);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^A local run needs .+npm install --save-dev .+\n$/),
    ]);
  });
});
