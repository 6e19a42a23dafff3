import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, build, formatMessages, type Plugin } from 'esbuild';
import { expectedOf } from '../../contract/document/expected.ts';
import { contractHash } from '../../contract/events/identity.ts';
import type { BundledContract, BundledWebhook, Contract } from '../../contract/schema/contract-schema.ts';
import type { KeywordList } from '../../functions/opt-out/keyword.ts';
import { type SdkTrim, sdkTrims } from './sdk-trims.ts';
import { trimSdk } from './trim-sdk.ts';

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

/** The functions whose handler.ts exports a promise `ready`, which is part of their start. */
const startsAwaiting: ReadonlySet<string> = new Set<(typeof functionNames)[number]>(['ingest']);

/** A module a signature scheme. */
const schemes = join(import.meta.dirname, '../../contract/signature');

/** CommonJS cannot await while it is loaded. */
const awaitingEntry = `import { createRequire } from 'node:module';
const { handler, ready } = createRequire(import.meta.url)('./handler.js');
await ready;
export { handler };
`;

export interface BundleOptions {
  /** The repository. */
  readonly root: string;
  /** Receives `functions/<name>/`, the assets, and kept apart from them `maps/` and `meta.json`. */
  readonly outdir: string;
  /** What `#contract` means to the functions, and its samples `#expected`. */
  readonly contract: Contract;
  /** What `#keywords` means to the functions. */
  readonly keywords: KeywordList;
  /** What is left out of the AWS SDK: {@link sdkTrims} where nothing is said. */
  readonly trims?: readonly SdkTrim[];
}

/** Thrown where a bundle cannot be made or esbuild doubts it; the message lists each problem with its file and line. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

/**
 * Bundles every handler: one minified CommonJS file each, since CommonJS starts faster than ESM on Lambda; where a start awaits something, with
 * an entry that does. The same
 * sources and contract give the same bytes wherever and whenever they are built, so that asset hashes are stable.
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
  // As esbuild names its outputs.
  const workingDirectory = realpathSync(root);
  // All in one build: what they share is read once.
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
    // Wherever the asset is unpacked, no package.json further up makes an ES module of it.
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
    // An import of node:http as a module evaluates all that it can export, undici too, which takes tens of milliseconds.
    supported: { 'dynamic-import': false },
    minify: true,
    mainFields: ['module', 'main'],
    legalComments: 'none',
    // Kept apart: a map that is loaded at run time makes cold starts slower.
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

/** The samples have done their work when the contract was validated; what it is of, nobody asks there. */
function forFunctions(contract: Contract): BundledContract {
  const { $schema: _, about: __, ...rest } = contract;
  return { ...rest, samples: [] };
}

function forIngest(contract: Contract): BundledWebhook {
  return { ...contract.webhook, hash: contractHash(contract) };
}

/** Of the signature schemes only the contract's: the others would be loaded at each start for nothing. */
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

/** Gives names like `#contract` their validated data, so that no function validates or fills in a default at run time. */
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
