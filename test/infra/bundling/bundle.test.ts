import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectedOf } from '../../../contract/document/expected.ts';
import { parseContract } from '../../../contract/document/parse.ts';
import { BundleError, bundleFunctions, functionNames } from '../../../lib/bundling/bundle-functions.ts';
import type { SdkTrim } from '../../../lib/bundling/sdk-trims.ts';
import { readKeywordsFile } from '../../../lib/settings/input-files.ts';
import { functionNamed, newFolder, templateOf } from '../support/built-app.ts';
import { bundleBudgets } from './bundle-budgets.ts';

const root = resolve(import.meta.dirname, '../../..');
const shipped = JSON.parse(readFileSync(join(root, 'contract.json'), 'utf8'));
const contract = parseContract(shipped);
const keywords = readKeywordsFile(join(root, 'keywords.json'));

describe('bundles of the handlers', () => {
  const outdir = newFolder();
  let bundles = '';
  beforeAll(async () => {
    bundles = await bundleFunctions({ root, outdir, contract, keywords });
  });

  const fileOf = (name: string) => join(bundles, name, name === 'ingest' ? 'handler.js' : 'index.js');
  const code = (name: string) => readFileSync(fileOf(name), 'utf8');

  /** The packages of which something is in the bundle. */
  const packagesIn = (name: string) => {
    const { outputs } = JSON.parse(readFileSync(join(outdir, 'meta.json'), 'utf8'));
    const inputs: [string, { bytesInOutput: number }][] = Object.entries(outputs[`${name}.js`].inputs);
    const paths = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
    return new Set(paths.map((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]));
  };

  it.each(functionNames)('%s starts as CommonJS with the environment its template declares', async (name) => {
    const { Variables } = functionNamed(templateOf(name), name).Properties.Environment as {
      Variables: Record<string, unknown>;
    };
    const environment = Object.fromEntries(
      Object.entries(Variables).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : 'https://deployed.example/x',
      ]),
    );
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['-p', 'typeof require(process.argv[1]).handler', fileOf(name)],
      { env: { ...environment, AWS_REGION: 'us-east-1' } },
    );
    expect(stdout).toBe('function\n');
    expect(Variables).not.toHaveProperty('NODE_OPTIONS');
  });

  it.each(['ingest', 'automations/opt-out'])(
    'the source map of %s resolves its stack traces',
    async (name) => {
      const { stderr } = await promisify(execFile)(process.execPath, [fileOf(name)], {
        env: {},
      }).catch((error) => error);
      expect(stderr).toContain('EnvironmentError');
      const { stdout, status } = spawnSync(
        process.execPath,
        ['tools/decode-stack.ts', name, join(outdir, 'maps')],
        {
          cwd: root,
          input: stderr,
          encoding: 'utf8',
        },
      );
      expect(status).toBe(0);
      // The place of the call, in its own words.
      const [, line = ''] =
        stdout.match(new RegExp(`\\(functions/${name}/handler\\.ts:(\\d+):\\d+\\)`)) ?? [];
      const source = readFileSync(join(root, 'functions', name, 'handler.ts'), 'utf8').split('\n');
      expect(source[Number(line) - 1]).toContain('readEnvironment(');
      expect(stdout).toContain('(functions/runtime/handler-settings.ts:');
    },
  );

  it.each(functionNames)('%s contains only code, and its source map is a separate file', (name) => {
    const entry = name === 'ingest' ? ['handler.js', 'index.mjs'] : ['index.js'];
    expect(readdirSync(join(bundles, name)).sort()).toEqual([...entry, 'package.json']);
    expect(code(name)).not.toContain('sourceMappingURL');
    const { sources } = JSON.parse(readFileSync(join(outdir, 'maps', `${name}.js.map`), 'utf8'));
    expect(sources).toContainEqual(expect.stringContaining(`functions/${name}/handler.ts`));
  });

  it.each(functionNames)('%s contains nothing about the machine that built it', (name) => {
    expect(code(name)).not.toContain(root);
    expect(code(name)).not.toContain('node_modules/');
  });

  it.each(functionNames)('%s stays within its size budget', (name) => {
    const folder = join(bundles, name);
    const bytes = readdirSync(folder).map((file) => statSync(join(folder, file)).size);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(bundleBudgets[name]);
  });

  it.each(functionNames)('%s reads credentials from the environment only', (name) => {
    const packages = [...packagesIn(name)].filter((each) =>
      each?.match(/credential-provider|nested-clients|token-providers/),
    );
    expect(packages).toEqual(['@aws-sdk/credential-provider-env']);
  });

  it('contain exactly the clients that trimmed-clients.test.ts and sdk-rewrites.test.ts compare', () => {
    const clients = functionNames.flatMap((name) =>
      [...packagesIn(name)].filter((each) => each?.startsWith('@aws-sdk/client-')),
    );
    expect([...new Set(clients)].sort()).toEqual([
      '@aws-sdk/client-dynamodb',
      '@aws-sdk/client-eventbridge',
      '@aws-sdk/client-secrets-manager',
      '@aws-sdk/client-sns',
      '@aws-sdk/client-sqs',
    ]);
  });

  it('ingest contains no zod, which would slow its cold start', () => {
    expect(packagesIn('ingest')).toContain('@aws-sdk/client-sqs');
    expect(packagesIn('ingest')).not.toContain('zod');
  });

  it('ingest loads no slow module of Node.js that it does not use', () => {
    expect(code('ingest')).toContain('require("node:https")');
    expect(code('ingest')).not.toMatch(/require\("node:(zlib|child_process|http2)"\)/);
    // As modules, Node's own evaluate all that they can export: node:http fetch, too.
    expect(code('ingest')).not.toContain('import("node:');
  });

  it('are identical for each build, so that a deployment without a change updates nothing', async () => {
    const again = await bundleFunctions({ root, outdir: newFolder(), contract, keywords });
    for (const name of functionNames)
      expect(readFileSync(fileOf(name).replace(bundles, again), 'utf8') === code(name)).toBe(true);
  });
});

/** A repository with stub handlers that return their contract. */
function repository(handler: string): string {
  const folder = newFolder();
  for (const name of functionNames) {
    mkdirSync(join(folder, 'functions', name), { recursive: true });
    writeFileSync(join(folder, 'functions', name, 'handler.ts'), handler);
  }
  return folder;
}

describe('the signature scheme of ingest', () => {
  /** Where the code is from that verifies signatures. */
  async function schemesIn(webhookSignature: object): Promise<string[]> {
    const outdir = newFolder();
    const { webhook, events, ...rest } = shipped;
    const other = parseContract({
      ...rest,
      samples: [],
      events: { ...events, id: { from: 'content' } },
      webhook: { ...webhook, signature: webhookSignature },
    });
    await bundleFunctions({ root, outdir, contract: other, keywords });
    const { outputs } = JSON.parse(readFileSync(join(outdir, 'meta.json'), 'utf8'));
    return Object.keys(outputs['ingest.js'].inputs).filter((path) =>
      /signature\/(hmac|jwt|none|public-key|token|verify)\.ts$/.test(path),
    );
  }

  it.each([
    ['hmac', shipped.webhook.signature],
    [
      'jwt',
      {
        ...{ scheme: 'jwt', algorithm: 'HS256', header: 'authorization', prefix: 'Bearer ' },
        payloadHash: { claim: 'payload_hash' },
      },
    ],
    ['token', { scheme: 'token', header: 'x-token' }],
  ])('is only the one of the contract: %s', async (scheme, webhookSignature) => {
    expect(await schemesIn(webhookSignature)).toEqual([`contract/signature/${scheme}.ts`]);
  });
});

describe('#contract', () => {
  const handler = "import contract from '#contract';\nexport const handler = () => contract;\n";

  it('is the validated contract with its defaults filled in, without the samples', async () => {
    const { acknowledge, ...webhook } = shipped.webhook;
    const edited = parseContract({
      ...shipped,
      webhook: {
        ...webhook,
        acknowledge: {},
        signature: { ...webhook.signature, header: 'x-own-signature' },
      },
    });
    const bundles = await bundleFunctions({
      root: repository(handler),
      outdir: newFolder(),
      contract: edited,
      keywords,
      trims: [],
    });
    const { stdout } = await promisify(execFile)(process.execPath, [
      '-p',
      'JSON.stringify(require(process.argv[1]).handler())',
      join(bundles, 'worker'),
    ]);
    const { $schema, ...rest } = edited;
    expect(acknowledge).toEqual({ status: 200 });
    expect(JSON.parse(stdout)).toEqual({ ...rest, samples: [] });
    expect(JSON.parse(stdout).webhook).toMatchObject({
      acknowledge: { status: 200 },
      signature: { header: 'x-own-signature' },
    });
  });
});

it('#keywords is the validated list', async () => {
  const bundles = await bundleFunctions({
    root: repository("import keywords from '#keywords';\nexport const handler = () => keywords;\n"),
    outdir: newFolder(),
    contract,
    keywords,
    trims: [],
  });
  const { stdout } = await promisify(execFile)(process.execPath, [
    '-p',
    'JSON.stringify(require(process.argv[1]).handler())',
    join(bundles, 'publisher'),
  ]);
  expect(JSON.parse(stdout)).toEqual(keywords);
});

it('#expected is derived from the samples of the contract', async () => {
  const bundles = await bundleFunctions({
    root: repository("import expected from '#expected';\nexport const handler = () => expected;\n"),
    outdir: newFolder(),
    contract,
    keywords,
    trims: [],
  });
  const { stdout } = await promisify(execFile)(process.execPath, [
    '-p',
    'JSON.stringify(require(process.argv[1]).handler())',
    join(bundles, 'worker'),
  ]);
  expect(JSON.parse(stdout)).toEqual(expectedOf(contract));
  expect(JSON.parse(stdout)['sms.status'].recipient).toEqual({
    types: ['string'],
    always: true,
    phone: true,
  });
});

describe('a handler that cannot be bundled', () => {
  it.each([
    ['does not exist', undefined, /Could not resolve "functions\/[\w/-]+\/handler.ts"/],
    [
      'imports what is not there',
      "export { handler } from './missing.ts';",
      /functions\/[\w/-]+\/handler.ts:1:\d+.*missing/,
    ],
    ['makes esbuild doubt', 'export const handler = () => import.meta.url;', /import.meta/],
  ])('because it %s fails the build with that reason', async (_, handler, message) => {
    const root = handler === undefined ? newFolder() : repository(handler);
    const bundling = bundleFunctions({ root, outdir: newFolder(), contract, keywords, trims: [] });
    await expect(bundling).rejects.toThrow(BundleError);
    await expect(bundling).rejects.toThrow(message);
  });
});

describe('a trim of the SDK', () => {
  const trim = (file: string, replacement: SdkTrim['replacement']): SdkTrim => ({
    file,
    why: 'for a test',
    replacement,
  });
  const bundleWith = (trims: readonly SdkTrim[]) => {
    const root = repository("import value from 'some-sdk';\nexport const handler = () => value;\n");
    const folder = join(root, 'node_modules/some-sdk/dist');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '../package.json'), '{"name":"some-sdk","main":"dist/index.js"}');
    writeFileSync(join(folder, 'index.js'), "import './more.js';\nexport default 'much';\n");
    writeFileSync(join(folder, 'more.js'), 'console.log(1);\n');
    return bundleFunctions({ root, outdir: newFolder(), contract, keywords, trims });
  };
  const little = () => "export default 'little';";

  it.each(['some-sdk/dist/index.js', 'some-*/dist/*.js'])('of %s replaces the file', async (file) => {
    const bundles = await bundleWith([trim(file, little)]);
    const code = readFileSync(join(bundles, 'worker/index.js'), 'utf8');
    expect(code).toContain('little');
    expect(code).not.toContain('much');
  });

  it.each([
    ['matches no file any more', trim('some-sdk/dist/moved.js', little)],
    ['matches a part of a path alone', trim('dist/index.js', little)],
    ['matches fewer files than it is for', { ...trim('some-sdk/dist/*.js', little), files: 2 }],
    ['matches more files than it is for', trim('some-sdk/dist/*.js', (original) => `${original}void 0;`)],
    ['changes nothing any more', trim('some-sdk/dist/index.js', (original) => original.replace('gone', ''))],
  ])('that %s fails the build with the name of the trim and advice', async (_, broken) => {
    const bundling = bundleWith([broken]);
    await expect(bundling).rejects.toThrow(BundleError);
    await expect(bundling).rejects.toThrow(broken.file);
    await expect(bundling).rejects.toThrow('lib/bundling/sdk-trims.ts');
  });
});
