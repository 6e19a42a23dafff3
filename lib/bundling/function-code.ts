import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Names, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { expectedOf } from '../../contract/document/expected.ts';
import { contractHash } from '../../contract/events/body.ts';
import type { BundledContract, BundledWebhook, Contract } from '../../contract/schema/contract-schema.ts';
import type { KeywordList } from '../../functions/opt-out/keyword.ts';

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

export type FunctionName = (typeof functionNames)[number];

/** The ways to verify a request: modules of contract/signature/. */
export const signatureSchemes = ['hash', 'hmac', 'jwt', 'none', 'public-key', 'token'] as const;

/** The file beside a function's code from which it loads what it imports by these names. */
export const fileOfImport: ReadonlyMap<string, string> = new Map([
  ['#contract', 'contract.json'],
  ['#webhook', 'webhook.json'],
  ['#expected', 'expected.json'],
  ['#keywords', 'keywords.json'],
  ['#signature', 'signature.js'],
]);

/** What the functions of a pipeline are made from. */
export interface FunctionSources {
  /** Folder of built functions: `functions/<name>/` and `signature/<scheme>.js`. */
  readonly built: string;
  readonly contract: Contract;
  readonly keywords: KeywordList;
}

/**
 * The code of a function: what was built, and beside it what depends on the contract. Only what the function loads is there, and only the
 * contract's signature scheme, so that a changed contract changes only the functions that read it. It is put together in the app's
 * output folder, without Docker or a bundler.
 */
export function functionCode(scope: Construct, name: FunctionName, sources: FunctionSources): Code {
  const { assetOutdir } = Stage.of(scope) ?? {};
  if (assetOutdir === undefined) throw new Error(`${scope.node.path} is in no App or Stage`);
  const folder = join(assetOutdir, '.functions', Names.uniqueId(scope));
  // The output folder is kept between runs: a file of an earlier version would stay in the asset.
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(sources.built, 'functions', name), folder, { recursive: true });
  writeFilesBeside(folder, sources);
  return Code.fromAsset(folder);
}

/** Writes the files that the code in a folder loads. */
export function writeFilesBeside(folder: string, { built, contract, keywords }: FunctionSources): void {
  const code = readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const contents: Readonly<Record<string, () => unknown>> = {
    'contract.json': () => forFunctions(contract),
    'webhook.json': () => forIngest(contract),
    'expected.json': () => expectedOf(contract),
    'keywords.json': () => keywords,
  };
  for (const file of fileOfImport.values()) {
    if (!code.includes(`require("./${file}")`)) continue;
    const content = contents[file];
    if (content !== undefined) writeFileSync(join(folder, file), JSON.stringify(content()));
    else cpSync(join(built, 'signature', `${contract.webhook.signature.scheme}.js`), join(folder, file));
  }
}

/** Removes the parts that no function reads: the samples, which served the validation, and the description. */
function forFunctions(contract: Contract): BundledContract {
  const { $schema: _, about: __, ...rest } = contract;
  return { ...rest, samples: [] };
}

function forIngest(contract: Contract): BundledWebhook {
  return { ...contract.webhook, hash: contractHash(contract) };
}
