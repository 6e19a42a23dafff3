import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { contractHash } from '../../../contract/events/body.ts';
import { compile } from '../../../lib/bundling/build-functions.ts';
import { sdkTrims, trimSdk } from '../../../lib/bundling/sdk-trims.ts';
import { shippedContract } from '../../support/contracts.ts';

/** The code whose starts are compared: ingest as it is deployed, and what it is compared with. */
export const variantNames = ['empty', 'withoutSdk', 'sendOnly', 'deployed', 'esbuildDefaults'] as const;
export type VariantName = (typeof variantNames)[number];

/** A folder of code, as Lambda unpacks it. */
export interface Variant {
  readonly folder: string;
  /** The size of its code. */
  readonly bytes: number;
}

/**
 * Bundles the variants. `empty` does nothing, `withoutSdk` makes the calls of ingest by hand, `sendOnly` sends the body to SQS with the SDK that ingest has, `esbuildDefaults` is ingest
 * without the settings of lib/bundling/.
 *
 * @param root the repository
 * @param outdir an empty folder
 * @param deployed the folder of ingest's code
 */
export async function buildVariants(
  root: string,
  outdir: string,
  deployed: string,
): Promise<Record<VariantName, Variant>> {
  const own = async (name: string) => {
    const entryPoints = { index: join(import.meta.dirname, 'baselines', `${name}.ts`) };
    const { outputFiles } = await compile({ absWorkingDir: root, entryPoints, plugins: [trimmed] });
    const code = outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
    return folderWith(join(outdir, name), { 'index.js': code });
  };
  const webhook = { ...shippedContract.webhook, hash: contractHash(shippedContract) };
  const defaults = folderWith(join(outdir, 'defaults'), { 'webhook.json': JSON.stringify(webhook) });
  await build({
    absWorkingDir: root,
    entryPoints: ['functions/receive/ingest/handler.ts'],
    outfile: join(defaults, 'index.js'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    alias: {
      '#webhook': join(defaults, 'webhook.json'),
      '#signature': join(root, 'contract/signature', `${webhook.signature.scheme}.ts`),
    },
    logLevel: 'error',
  });
  const variant = (folder: string) => ({ folder, bytes: codeBytes(folder) });
  return {
    empty: variant(await own('empty')),
    withoutSdk: variant(await own('without-sdk')),
    sendOnly: variant(await own('send-only')),
    deployed: variant(deployed),
    esbuildDefaults: variant(defaults),
  };
}

/** The SDK as ingest has it. One function alone does not use every part that is left out, which is no mistake here. */
const trimmed: Plugin = {
  name: 'trimmed-sdk',
  setup: (builder) => trimSdk(sdkTrims).setup({ ...builder, onEnd: () => {} }),
};

function folderWith(folder: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries({ 'package.json': '{"type":"commonjs"}\n', ...files }))
    writeFileSync(join(folder, name), text);
  return folder;
}

function codeBytes(folder: string): number {
  return readdirSync(folder)
    .filter((file) => ['.js', '.mjs'].includes(extname(file)))
    .reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
