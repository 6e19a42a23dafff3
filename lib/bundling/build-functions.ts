import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, build, formatMessages, type Plugin } from 'esbuild';
import {
  type BuiltFunctions,
  type FunctionName,
  fileOfImport,
  functionNames,
  signatureSchemes,
} from './function-code.ts';
import { type SdkTrim, sdkTrims, trimSdk } from './sdk-trims.ts';

/** The functions whose handler.ts exports a promise `ready`, which their start awaits. */
const startsAwaiting: ReadonlySet<FunctionName> = new Set<FunctionName>(['ingest']);

type Automation = Extract<FunctionName, `automations/${string}`>;

const isAutomation = (name: FunctionName): name is Automation => name.startsWith('automations/');

/** The folder of each function that is no automation. The folder of an automation is its name. */
const folders: Readonly<Record<Exclude<FunctionName, Automation>, string>> = {
  ingest: 'receive/ingest',
  worker: 'receive/worker',
  setup: 'registration/setup',
  query: 'query/api',
  console: 'query/console',
  lookups: 'lookups',
  sweep: 'history/sweep',
  exporter: 'history/exporter',
  publisher: 'publish/publisher',
  insights: 'insights/counting',
};

/** Returns the folder of a function's handler.ts, in functions/. */
export const functionFolder = (name: FunctionName): string => (isAutomation(name) ? name : folders[name]);

/** The folder with a module for each signature scheme. */
const schemes = join(import.meta.dirname, '../../contract/signature');

/** An ES module starts the function, because CommonJS cannot await while it loads. */
const awaitingEntry = `import { createRequire } from 'node:module';
const { handler, ready } = createRequire(import.meta.url)('./handler.js');
await ready;
export { handler };
`;

export interface BuildFunctionsOptions {
  /** The repository. */
  readonly root: string;
  /** Receives the source maps in `maps/`, and esbuild's `meta.json`. */
  readonly outdir: string;
  /** The parts of the AWS SDK to leave out; {@link sdkTrims} by default. */
  readonly trims?: readonly SdkTrim[];
}

/** Thrown if esbuild fails or warns; the message lists each problem with its file and line. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

/**
 * Bundles every handler into one minified CommonJS file, since CommonJS starts faster than ESM on Lambda. A function whose start awaits
 * something gets an entry module for it. The bundles are the same for every contract: they load what depends on it from files beside
 * them (function-code.ts). The same sources give the same bytes on every machine, so that asset hashes are stable.
 *
 * @throws BundleError
 */
export async function buildFunctions({
  root,
  outdir,
  trims = sdkTrims,
}: BuildFunctionsOptions): Promise<BuiltFunctions> {
  // esbuild names its outputs by the real path.
  const workingDirectory = realpathSync(root);
  // One build reads shared modules once.
  const { outputFiles, metafile } = await compile({
    absWorkingDir: workingDirectory,
    entryPoints: {
      ...Object.fromEntries(
        functionNames.map((name) => [name, `functions/${functionFolder(name)}/handler.ts`]),
      ),
      ...Object.fromEntries(
        signatureSchemes.map((scheme) => [`signature/${scheme}`, join(schemes, `${scheme}.ts`)]),
      ),
    },
    plugins: [besideTheFunction, trimSdk(trims)],
  });
  const output = (path: string) => {
    const file = outputFiles.find((made) => made.path === join(workingDirectory, path));
    if (file === undefined) throw new BundleError(`esbuild made no ${path}`);
    return file.text;
  };
  for (const name of functionNames) write(join(outdir, 'maps', `${name}.js.map`), output(`${name}.js.map`));
  write(join(outdir, 'meta.json'), JSON.stringify(metafile));
  const filesOf = (name: FunctionName) => ({
    ...(startsAwaiting.has(name)
      ? { 'handler.js': output(`${name}.js`), 'index.mjs': awaitingEntry }
      : { 'index.js': output(`${name}.js`) }),
    // It keeps a package.json further up from making this an ES module, wherever the asset is unpacked.
    'package.json': '{"type":"commonjs"}\n',
  });
  return {
    functions: Object.fromEntries(functionNames.map((name) => [name, filesOf(name)])),
    signature: Object.fromEntries(
      signatureSchemes.map((scheme) => [scheme, output(`signature/${scheme}.js`)]),
    ),
  };
}

function write(path: string, content: string): void {
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
    // Node.js loads its web streams where the SDK mentions them. No answer of the SDK's HTTP handler for Node.js is one.
    define: { ReadableStream: 'undefined', Blob: 'undefined' },
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

/** Leaves imports like `#contract` to the files that lie beside the function when it is deployed. */
const besideTheFunction: Plugin = {
  name: 'beside-the-function',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^#/ }, ({ path }) => {
      const file = fileOfImport.get(path);
      return file === undefined ? undefined : { path: `./${file}`, external: true };
    });
  },
};
