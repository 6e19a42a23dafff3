import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundleFunctions, functionNames } from '../../../lib/constructs/bundle.ts';
import { readContractFile } from '../../../lib/contract-file.ts';
import { readKeywordsFile } from '../../../lib/keywords-file.ts';

/** What runs in a process: a bundle in a folder, as Lambda unpacks one. */
export interface Variant {
  readonly name: VariantName;
  /** Holds index.js. */
  readonly folder: string;
  /** Of index.js. */
  readonly bytes: number;
}

export type VariantName = (typeof variantNames)[number];

/** In the order of the table; each round begins with the next of them. */
export const variantNames = [
  'empty handler',
  'HMAC only',
  'SendMessage only',
  'ingest',
  'ingest, esbuild defaults',
] as const;

export interface Bundles {
  readonly variants: readonly Variant[];
  /** The functions as they are deployed: a folder each. */
  readonly functions: string;
  /** Their source maps: a file each. */
  readonly maps: string;
}

/**
 * Bundles what is compared.
 *
 * @param root the repository
 * @param outdir an empty folder
 */
export async function buildBundles(root: string, outdir: string): Promise<Bundles> {
  const contract = readContractFile(join(root, 'contract.json'));
  const keywords = readKeywordsFile(join(root, 'keywords.json'));
  const own = join(outdir, 'own');
  const functions = await bundleFunctions({ root, outdir: own, contract, keywords });

  const baselines = join(import.meta.dirname, 'baselines');
  // The same build with one handler in the place of another, so that its SDK is the very one that ingest has.
  const repository = join(outdir, 'repository');
  for (const name of functionNames) {
    const handler =
      name === 'ingest' ? join(baselines, 'send-only.ts') : join(root, 'functions', name, 'handler.ts');
    write(
      join(repository, 'functions', name, 'handler.ts'),
      `export { handler } from ${JSON.stringify(handler)};\n`,
    );
  }
  const withSendOnly = await bundleFunctions({
    root: repository,
    outdir: join(outdir, 'send-only'),
    contract,
    keywords,
  });

  const contractFile = join(outdir, 'contract.json');
  write(contractFile, JSON.stringify({ ...contract, samples: [] }));
  async function bundle(entryPoint: string, folder: string, options: BuildOptions = {}): Promise<string> {
    await build({
      absWorkingDir: root,
      entryPoints: [entryPoint],
      outfile: join(outdir, folder, 'index.js'),
      bundle: true,
      platform: 'node',
      target: 'node24',
      alias: { '#contract': contractFile },
      logLevel: 'error',
      ...options,
    });
    write(join(outdir, folder, 'package.json'), '{"type":"commonjs"}\n');
    return join(outdir, folder);
  }

  const folders: Readonly<Record<VariantName, string>> = {
    'empty handler': await bundle(join(baselines, 'empty.ts'), 'empty', { minify: true }),
    'HMAC only': await bundle(join(baselines, 'hmac-only.ts'), 'hmac-only', { minify: true }),
    'SendMessage only': join(withSendOnly, 'ingest'),
    ingest: join(functions, 'ingest'),
    'ingest, esbuild defaults': await bundle('functions/ingest/handler.ts', 'defaults'),
  };
  const variants = variantNames.map((name) => ({
    name,
    folder: folders[name],
    bytes: statSync(join(folders[name], 'index.js')).size,
  }));
  return { variants, functions, maps: join(own, 'maps') };
}

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}
