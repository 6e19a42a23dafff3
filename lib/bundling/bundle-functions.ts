import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, build, formatMessages, type Plugin } from 'esbuild';
import { expectedOf } from '../../contract/document/expected.ts';
import { contractHash } from '../../contract/events/body.ts';
import type { BundledContract, BundledWebhook, Contract } from '../../contract/schema/contract-schema.ts';
import type { KeywordList } from '../../functions/opt-out/keyword.ts';
import { type SdkTrim, sdkTrims, trimSdk } from './sdk-trims.ts';

/** The functions of the pipeline: folders in functions/, each with a handler.ts. */
export const functionNames = [
  'ingest',
  'worker',
  'setup',
  'query',
  'sweep',
  'exporter',
  'publisher',
  'automations/opt-out',
  'automations/contact-sync',
  'automations/failure-alert',
  'automations/forward',
  'automations/billing-watch',
] as const;

/** The functions whose handler.ts exports a promise `ready`, which their start awaits. */
const startsAwaiting: ReadonlySet<string> = new Set<(typeof functionNames)[number]>(['ingest']);

/** The folder with a module for each signature scheme. */
const schemes = join(import.meta.dirname, '../../contract/signature');

/** An ES module starts the function, because CommonJS cannot await while it loads. */
const awaitingEntry = `import { createRequire } from 'node:module';
const { handler, ready } = createRequire(import.meta.url)('./handler.js');
await ready;
export { handler };
`;

export interface BundleOptions {
  /** The repository. */
  readonly root: string;
  /** Receives the assets in `functions/<name>/`, and beside them `maps/` and `meta.json`. */
  readonly outdir: string;
  /** The functions import it as `#contract`, and its samples as `#expected`. */
  readonly contract: Contract;
  /** The functions import it as `#keywords`. */
  readonly keywords: KeywordList;
  /** The parts of the AWS SDK to leave out; {@link sdkTrims} by default. */
  readonly trims?: readonly SdkTrim[];
}

/** Thrown if esbuild fails or warns; the message lists each problem with its file and line. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

/**
 * Bundles every handler into one minified CommonJS file, since CommonJS starts faster than ESM on Lambda. A function whose start awaits
 * something gets an entry module for it. The same sources and contract give the same bytes on every machine, so that asset hashes are
 * stable.
 *
 * @returns the folder with a bundle a function
 * @throws BundleError
 */
export async function bundleFunctions({
  root,
  outdir,
  contract,
  keywords,
  trims = sdkTrims,
}: BundleOptions): Promise<string> {
  // esbuild names its outputs by the real path.
  const workingDirectory = realpathSync(root);
  // One build reads shared modules once.
  const { outputFiles, metafile } = await compile({
    absWorkingDir: workingDirectory,
    entryPoints: Object.fromEntries(functionNames.map((name) => [name, `functions/${name}/handler.ts`])),
    plugins: [
      oneScheme(contract),
      inlineData({
        '#contract': forFunctions(contract),
        '#webhook': forIngest(contract),
        '#expected': expectedOf(contract),
        '#keywords': keywords,
      }),
      trimSdk(trims),
    ],
  });
  const output = (path: string) => {
    const file = outputFiles.find((made) => made.path === join(workingDirectory, path));
    if (file === undefined) throw new BundleError(`esbuild made no ${path}`);
    return file.contents;
  };
  const bundles = join(outdir, 'functions');
  for (const name of functionNames) {
    const asset = join(bundles, name);
    const isAwaited = startsAwaiting.has(name);
    write(join(asset, isAwaited ? 'handler.js' : 'index.js'), output(`${name}.js`));
    if (isAwaited) write(join(asset, 'index.mjs'), awaitingEntry);
    // It keeps a package.json further up from making this an ES module, wherever the asset is unpacked.
    write(join(asset, 'package.json'), '{"type":"commonjs"}\n');
    write(join(outdir, 'maps', `${name}.js.map`), output(`${name}.js.map`));
  }
  write(join(outdir, 'meta.json'), JSON.stringify(metafile));
  return bundles;
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/**
 * Runs esbuild with the settings of every bundle; nothing is written.
 *
 * @throws BundleError
 */
export async function compile(options: BuildOptions) {
  const result = await build({
    ...options,
    outdir: '.',
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // An ESM import of node:http evaluates all its exports, undici too, which takes tens of milliseconds.
    supported: { 'dynamic-import': false },
    minify: true,
    mainFields: ['module', 'main'],
    legalComments: 'none',
    // The map stays outside of the asset: loading it at run time makes cold starts slower.
    sourcemap: 'external',
    metafile: true,
    logLevel: 'silent',
  }).catch((error: unknown) => {
    throw new BundleError(error instanceof Error ? error.message : String(error));
  });
  if (result.warnings.length > 0)
    throw new BundleError((await formatMessages(result.warnings, { kind: 'warning' })).join(''));
  return result;
}

/** Removes the parts that no function reads: the samples, which served the validation, and the description. */
function forFunctions(contract: Contract): BundledContract {
  const { $schema: _, about: __, ...rest } = contract;
  return { ...rest, samples: [] };
}

function forIngest(contract: Contract): BundledWebhook {
  return { ...contract.webhook, hash: contractHash(contract) };
}

/** Bundles only the contract's signature scheme: each start would load the others for nothing. */
function oneScheme({ webhook }: Contract): Plugin {
  return {
    name: 'signature',
    setup: ({ onResolve }) => {
      onResolve({ filter: /^#signature$/ }, () => ({
        path: join(schemes, `${webhook.signature.scheme}.ts`),
      }));
    },
  };
}

/** Resolves imports like `#contract` to validated data, so that no function validates or fills in a default at run time. */
function inlineData(data: Readonly<Record<string, unknown>>): Plugin {
  return {
    name: 'data',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^#/ }, ({ path }) => (path in data ? { path, namespace: 'data' } : undefined));
      onLoad({ filter: /.*/, namespace: 'data' }, ({ path }) => ({
        contents: JSON.stringify(data[path]),
        loader: 'json',
      }));
    },
  };
}
