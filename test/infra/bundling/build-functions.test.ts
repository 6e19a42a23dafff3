import { execFile, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { expectedOf } from '../../../contract/document/expected.ts';
import { parseContract, parseRules } from '../../../contract/document/parse.ts';
import { contractHash } from '../../../contract/events/body.ts';
import { BundleError, buildFunctions, functionFolder } from '../../../lib/bundling/build-functions.ts';
import { fileOfImport, functionNames, writeFunction } from '../../../lib/bundling/function-code.ts';
import type { SdkTrim } from '../../../lib/bundling/sdk-trims.ts';
import { Contract } from '../../../lib/props/contract.ts';
import { Keywords } from '../../../lib/props/keywords.ts';
import { closeServer, listen, sendJson } from '../../../local/aws-protocol/http.ts';
import { staticTokenJson } from '../../support/contract-json.ts';
import { presetContracts } from '../../support/preset-contracts.ts';
import { environmentOf, newFolder } from '../support/built-app.ts';
import { deployedFunctions } from './deployed-functions.ts';

const root = resolve(import.meta.dirname, '../../..');
const filesBeside = [...fileOfImport.values()];
const contract = Contract.fromFile(join(root, 'contract.json'))._document;
const keywords = Keywords.fromFile(join(root, 'keywords.json'))._list;
const require = createRequire(import.meta.url);
const run = promisify(execFile);

/** The paths of the sources of which something is in a bundle. */
function sourcesIn(bundles: string, name: string): string[] {
  const { outputs } = JSON.parse(readFileSync(join(dirname(bundles), 'meta.json'), 'utf8'));
  const inputs: [string, { bytesInOutput: number }][] = Object.entries(outputs[`${name}.js`].inputs);
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
}

/** The environment that a template declares, with a value for each reference. */
function deployed(name: (typeof functionNames)[number]): Record<string, string> {
  const variables = Object.entries(environmentOf(name)).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : 'https://deployed.example/x',
  ]);
  return { ...Object.fromEntries(variables), AWS_REGION: 'us-east-1' };
}

describe('bundles of the handlers', async () => {
  const bundles = await deployedFunctions({ root, outdir: newFolder(), contract, keywords });
  const maps = join(dirname(bundles), 'maps');
  const fileOf = (name: string) => join(bundles, name, name === 'ingest' ? 'handler.js' : 'index.js');
  const code = (name: string) => readFileSync(fileOf(name), 'utf8');

  /** The packages of which something is in the bundle. */
  const packagesIn = (name: string) =>
    new Set(sourcesIn(bundles, name).map((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]));

  it('start as CommonJS with the environment that the templates declare', async () => {
    const functions = functionNames.map((name) => ({ file: fileOf(name), environment: deployed(name) }));
    const load = `for (const { file, environment } of JSON.parse(process.argv[1])) {
      for (const key of Object.keys(process.env)) delete process.env[key];
      Object.assign(process.env, environment);
      console.log(typeof require(file).handler, file);
    }`;
    const { stdout } = await run(process.execPath, ['-e', load, JSON.stringify(functions)], { env: {} });
    expect(stdout.trim().split('\n')).toEqual(functions.map(({ file }) => `function ${file}`));
  });

  it.each(['ingest', 'automations/opt-out'] as const)(
    'the source map of %s resolves its stack traces',
    async (name) => {
      const { stderr } = await run(process.execPath, [fileOf(name)], { env: {} }).catch((error) => error);
      expect(stderr).toContain('EnvironmentError');
      const args = ['tools/decode-stack.ts', name, maps];
      const { stdout, status } = spawnSync(process.execPath, args, {
        cwd: root,
        input: stderr,
        encoding: 'utf8',
      });
      expect(status).toBe(0);
      // The place of the call, in its own words.
      const [, line = ''] =
        stdout.match(new RegExp(`\\(functions/${functionFolder(name)}/handler\\.ts:(\\d+):\\d+\\)`)) ?? [];
      const source = readFileSync(join(root, 'functions', functionFolder(name), 'handler.ts'), 'utf8').split(
        '\n',
      );
      expect(source[Number(line) - 1]).toContain('readEnvironment(');
      expect(stdout).toContain('(functions/base/handler-settings.ts:');
    },
  );

  it.each(functionNames)(
    '%s contains only code without a path of this machine, within its budget, and its source map is a separate file',
    (name) => {
      const folder = join(bundles, name);
      const entry = name === 'ingest' ? ['handler.js', 'index.mjs'] : ['index.js'];
      expect(
        readdirSync(folder)
          .filter((file) => !filesBeside.includes(file))
          .sort(),
      ).toEqual([...entry, 'package.json']);
      for (const text of ['sourceMappingURL', root, 'node_modules/']) expect(code(name)).not.toContain(text);
      const { sources } = JSON.parse(readFileSync(join(maps, `${name}.js.map`), 'utf8'));
      expect(sources).toContainEqual(expect.stringContaining(`functions/${functionFolder(name)}/handler.ts`));
      const bytes = readdirSync(folder).map((file) => statSync(join(folder, file)).size);
      // Lambda reads and compiles them at a cold start, for which the SMS service waits at ingest.
      const maxBytes = name === 'ingest' ? 224_000 : 620_000;
      expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(maxBytes);
    },
  );

  it.each(functionNames)('%s reads credentials from the environment only', (name) => {
    const packages = [...packagesIn(name)].filter((each) =>
      each?.match(/credential-provider|nested-clients|token-providers/),
    );
    expect(packages).toEqual(['@aws-sdk/credential-provider-env']);
  });

  it('contain exactly the clients that test/nightly/trimmed-clients.test.ts compares', () => {
    const clients = functionNames.flatMap((name) =>
      [...packagesIn(name)].filter((each) => each?.startsWith('@aws-sdk/client-')),
    );
    expect([...new Set(clients)].sort()).toEqual([
      '@aws-sdk/client-cloudwatch',
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
    const again = await deployedFunctions({ root, outdir: newFolder(), contract, keywords });
    for (const name of functionNames)
      expect(readFileSync(fileOf(name).replace(bundles, again), 'utf8') === code(name)).toBe(true);
  });

  it.each([
    [
      'has read the secret at the end of its cold start',
      200,
      {
        Name: 'webhook',
        VersionId: 'v1',
        SecretString: '{"version":1,"current":{"secret":"whsec_test","since":"2026-01-15T12:00:00.000Z"}}',
      },
    ],
    ['starts when it cannot read the secret', 400, { __type: 'AccessDeniedException', message: 'no' }],
  ])('ingest %s', async (_, status, answer) => {
    let reads = 0;
    const secretsManager = await listen(0, (_request, response) => {
      response.on('finish', () => {
        reads += 1;
      });
      sendJson(response, status, answer);
    });
    const bound = secretsManager.address();
    const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
    const entry = pathToFileURL(join(bundles, 'ingest/index.mjs')).href;
    // As Lambda loads it; the process ends at once.
    const load = `import(${JSON.stringify(entry)})
      .then(({ handler }) => process.stdout.write(typeof handler, () => process.exit(0)))`;
    const { stdout } = await run(process.execPath, ['-e', load], {
      env: {
        ...deployed('ingest'),
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${port}`,
      },
    });
    await closeServer(secretsManager);
    expect({ exported: stdout, reads }).toEqual({ exported: 'function', reads: 1 });
  });
});

/** A repository with stub handlers that return their contract. */
function repository(handler: string): string {
  const folder = newFolder();
  for (const path of functionNames.map(functionFolder)) {
    mkdirSync(join(folder, 'functions', path), { recursive: true });
    writeFileSync(join(folder, 'functions', path, 'handler.ts'), handler);
  }
  return folder;
}

it.each([
  ['contract.json', 'hmac'],
  ['messagebird-jwt.json', 'jwt'],
  ['static-token.json', 'token'],
  ['telnyx.json', 'public-key'],
])('with the contract of %s a handler loads only the signature scheme %s', async (preset, scheme) => {
  const found = presetContracts.find(({ name }) => name === preset);
  const root = repository("export * from '#signature';\n");
  const built = await buildFunctions({ root, outdir: newFolder(), trims: [] });
  const folder = newFolder();
  writeFunction(folder, 'ingest', {
    built,
    contract: found?.contract ?? contract,
    keywords,
  });
  expect(readFileSync(join(folder, 'signature.js'), 'utf8')).toBe(built.signature[scheme]);
  expect(require(join(folder, 'handler.js'))).toHaveProperty('createVerifier');
});

it('with a contract of two signature schemes a handler loads both, and uses the one that it is given', async () => {
  const root = repository("export * from '#signature';\n");
  const built = await buildFunctions({ root, outdir: newFolder(), trims: [] });
  const folder = newFolder();
  const twoSchemes = parseRules(
    staticTokenJson({
      also: {
        method: 'GET',
        bodyFormat: 'form',
        signature: {
          scheme: 'hmac',
          algorithm: 'sha256',
          encoding: 'hex',
          header: 'x-signature',
          signedContent: '{query}',
          secret: { encoding: 'utf8' },
        },
      },
    }),
  );
  writeFunction(folder, 'ingest', { built, contract: twoSchemes, keywords });
  expect(
    readdirSync(folder)
      .filter((file) => file.startsWith('signature'))
      .sort(),
  ).toEqual(['signature-hmac.js', 'signature-token.js', 'signature.js']);
  const loaded = require(join(folder, 'handler.js'));
  const url = 'https://example.test/webhooks/sms?id=m1';
  const headers = {
    'x-token': 'a-token',
    'x-signature': createHmac('sha256', 'a-token').update('id=m1').digest('hex'),
  };
  for (const [form, name] of [
    [twoSchemes.webhook, 'x-token'],
    [twoSchemes.webhook.also, 'x-signature'],
  ] as const) {
    const request = { headers: { [name]: Reflect.get(headers, name) }, body: Buffer.from('id=m1'), url };
    const verify = loaded.createVerifier(form?.signature, form);
    expect(verify(request, ['a-token'], 0)).toMatchObject({ kind: 'verified' });
    expect(verify(request, ['another'], 0)).toMatchObject({ kind: 'rejected' });
    expect(loaded.headersRead(form?.signature)).toEqual([name]);
    expect(loaded.isUsableSecret(form?.signature, 'a-token')).toBe(true);
    expect(loaded.createTokenReader(form?.signature, form)).toBeUndefined();
  }
});

it('handlers import the validated contract without its samples, what the samples show, and the keywords', async () => {
  const shipped = JSON.parse(readFileSync(join(root, 'contract.json'), 'utf8'));
  const edited = parseContract({ ...shipped, webhook: { ...shipped.webhook, acknowledge: {} } });
  const imports = ['contract', 'expected', 'keywords'].map(
    (name) => `export { default as ${name} } from '#${name}';`,
  );
  const bundles = await deployedFunctions({
    root: repository(imports.join('\n')),
    outdir: newFolder(),
    contract: edited,
    keywords,
    trims: [],
  });
  const { $schema, about, ...rest } = edited;
  const bundled = require(join(bundles, 'worker'));
  expect(bundled.contract).toEqual({ ...rest, lookups: { ...rest.lookups, samples: [] }, samples: [] });
  expect(bundled.contract.webhook.acknowledge).toEqual({ status: 200 });
  expect(bundled.expected).toEqual(expectedOf(edited));
  expect(bundled.expected['sms.status'].recipient).toEqual({ types: ['string'], always: true, phone: true });
  expect(bundled.keywords).toEqual(keywords);
});

it('ingest starts without the description of how the service retries', async () => {
  const retries = { hours: 24, describe: 'For a day.', source: 'https://service.example/' };
  const folder = newFolder();
  const built = await buildFunctions({
    root: repository("export { default } from '#webhook';\n"),
    outdir: newFolder(),
    trims: [],
  });
  const withRetries = { ...contract, webhook: { ...contract.webhook, retries } };
  writeFunction(folder, 'ingest', { built, contract: withRetries, keywords });
  const webhook = JSON.parse(readFileSync(join(folder, 'webhook.json'), 'utf8'));
  expect(webhook).toEqual({ ...contract.webhook, hash: contractHash(contract) });
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
    const bundling = deployedFunctions({ root, outdir: newFolder(), contract, keywords, trims: [] });
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
    return deployedFunctions({ root, outdir: newFolder(), contract, keywords, trims });
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
