import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { contractHash } from '../../../contract/events/body.ts';
import { functionNames } from '../../../lib/bundling/function-code.ts';
import { Contract } from '../../../lib/props/contract.ts';
import { Keywords } from '../../../lib/props/keywords.ts';
import { deployedFunctions } from '../../support/deployed-functions.ts';

/** The code of a process: a bundle in a folder, as Lambda unpacks one. */
export interface Variant {
  readonly name: string;
  /** Holds index.js or index.mjs, and what that loads. */
  readonly folder: string;
  /** The size of all its code. */
  readonly bytes: number;
}

/** The variants that others are compared with, and the one that is deployed. */
export const emptyHandler = 'empty handler';
export const sendOnly = 'SendMessage only';
export const deployed = 'ingest';
export const notAwaited = 'ingest, not awaited';
export const esbuildDefaults = 'ingest, esbuild defaults';

export interface Bundles {
  /** In the order of the table; each round begins with the next of them. */
  readonly variants: readonly Variant[];
  /** The functions as they are deployed: a folder each. */
  readonly functions: string;
}

/**
 * Bundles what is compared.
 *
 * @param root the repository
 * @param outdir an empty folder
 */
export async function buildBundles(root: string, outdir: string): Promise<Bundles> {
  const contract = Contract.fromFile(join(root, 'contract.json')).document;
  const keywords = Keywords.fromFile(join(root, 'keywords.json')).list;
  const functions = await deployedFunctions({ root, outdir: join(outdir, 'own'), contract, keywords });

  const baselines = join(import.meta.dirname, 'baselines');
  // The same build with one handler in the place of another, so that its SDK is the very one that ingest has.
  const repository = join(outdir, 'repository');
  for (const name of functionNames) {
    const handler =
      name === 'ingest' ? join(baselines, 'send-only.ts') : join(root, 'functions', name, 'handler.ts');
    const text = `export { handler } from ${JSON.stringify(handler)};\n`;
    write(join(repository, 'functions', name, 'handler.ts'), text);
  }
  const sendOnlyOutdir = join(outdir, 'send-only');
  const withSendOnly = await deployedFunctions({
    root: repository,
    outdir: sendOnlyOutdir,
    contract,
    keywords,
  });

  const webhookFile = join(outdir, 'webhook.json');
  write(webhookFile, JSON.stringify({ ...contract.webhook, hash: contractHash(contract) }));
  const schemeFile = join(root, 'contract/signature', `${contract.webhook.signature.scheme}.ts`);
  async function bundle(entryPoint: string, name: string, options: BuildOptions = {}): Promise<string> {
    const folder = commonJsFolder(join(outdir, name));
    await build({
      absWorkingDir: root,
      entryPoints: [entryPoint],
      outfile: join(folder, 'index.js'),
      bundle: true,
      platform: 'node',
      target: 'node24',
      alias: { '#webhook': webhookFile, '#signature': schemeFile },
      logLevel: 'error',
      ...options,
    });
    return folder;
  }

  /** ingest without the entry that awaits its secret. */
  function withoutAwaiting(): string {
    const folder = join(outdir, 'not-awaited');
    cpSync(join(functions, 'ingest'), folder, { recursive: true });
    rmSync(join(folder, 'index.mjs'));
    renameSync(join(folder, 'handler.js'), join(folder, 'index.js'));
    return folder;
  }

  const folders = {
    [emptyHandler]: await bundle(join(baselines, 'empty.ts'), 'empty', { minify: true }),
    'HMAC only': await bundle(join(baselines, 'hmac-only.ts'), 'hmac-only', { minify: true }),
    [sendOnly]: join(withSendOnly, 'ingest'),
    [deployed]: join(functions, 'ingest'),
    [notAwaited]: withoutAwaiting(),
    [esbuildDefaults]: await bundle('functions/ingest/handler.ts', 'defaults'),
  };
  const variants = Object.entries(folders).map(([name, folder]) => ({
    ...{ name, folder },
    bytes: codeBytes(folder),
  }));
  return { variants, functions };
}

/** Bytes of the .js and .mjs files that lie in a folder. */
function codeBytes(folder: string): number {
  return readdirSync(folder)
    .filter((file) => ['.js', '.mjs'].includes(extname(file)))
    .reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}

function commonJsFolder(folder: string): string {
  write(join(folder, 'package.json'), '{"type":"commonjs"}\n');
  return folder;
}

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}
