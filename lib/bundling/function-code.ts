import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Names, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { expectedOf } from '../../contract/document/expected.ts';
import { contractHash } from '../../contract/events/body.ts';
import type { BundledContract, BundledWebhook, Contract } from '../../contract/schema/contract-schema.ts';
import { requestForms } from '../../contract/schema/request-form.ts';
import type { KeywordList } from '../../functions/history/shapes.ts';

/** The functions of the pipeline; build-functions.ts has their folders. */
export const functionNames = [
  'ingest',
  'worker',
  'setup',
  'query',
  'console',
  'lookups',
  'sweep',
  'exporter',
  'publisher',
  'insights',
  'automations/opt-out',
  'automations/contact-sync',
  'automations/failure-alert',
  'automations/forward',
  'automations/billing-watch',
  'automations/delivery-watch',
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

/** The code that is the same for every contract: contents of files. */
export interface BuiltFunctions {
  /** By the function's name and the file's. */
  readonly functions: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The modules of signature schemes, by the scheme's name. */
  readonly signature: Readonly<Record<string, string>>;
}

/** What the functions of a pipeline are made from. */
export interface FunctionSources {
  readonly built: BuiltFunctions;
  readonly contract: Contract;
  readonly keywords: KeywordList;
}

/**
 * The code of a function: what was built, and beside it what depends on the contract. Only what the function loads is there, and only the
 * contract's signature schemes, so that a changed contract changes only the functions that read it. It is put together in the app's
 * output folder, without Docker or a bundler.
 */
export function functionCode(scope: Construct, name: FunctionName, sources: FunctionSources): Code {
  const { assetOutdir } = Stage.of(scope) ?? {};
  if (assetOutdir === undefined) throw new Error(`${scope.node.path} is in no App or Stage`);
  const folder = join(assetOutdir, '.functions', Names.uniqueId(scope));
  writeFunction(folder, name, sources);
  return Code.fromAsset(folder);
}

/** Writes the code of a function into a folder, which it empties first. */
export function writeFunction(
  folder: string,
  name: FunctionName,
  { built, contract, keywords }: FunctionSources,
): void {
  const files = built.functions[name] ?? notBuilt(`function ${name}`);
  const code = Object.values(files).join('\n');
  const beside: Readonly<Record<string, () => string>> = {
    'contract.json': () => JSON.stringify(forFunctions(contract)),
    'webhook.json': () => JSON.stringify(forIngest(contract)),
    'expected.json': () => JSON.stringify(expectedOf(contract)),
    'keywords.json': () => JSON.stringify(keywords),
  };
  // The output folder is kept between runs: a file of an earlier version would stay in the asset.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  for (const [file, text] of Object.entries(files)) writeReadable(join(folder, file), text);
  for (const [file, content] of Object.entries(beside))
    if (code.includes(`require("./${file}")`)) writeReadable(join(folder, file), content());
  if (code.includes('require("./signature.js")'))
    for (const [file, text] of Object.entries(signatureFiles(contract, built)))
      writeReadable(join(folder, file), text);
}

/**
 * Writes a file that every user can read. Lambda keeps the permissions of the archive and runs the code as another user, who could not read the files
 * of a machine with umask 077 ("Troubleshoot deployment issues in Lambda", Lambda developer guide: EACCES).
 */
function writeReadable(path: string, text: string): void {
  writeFileSync(path, text);
  // The umask limits the mode that a file is created with, and not this one.
  chmodSync(path, 0o644);
}

/** Returns the modules of the contract's signature schemes by their files: one, or two and a module that chooses. */
function signatureFiles(
  { webhook }: Contract,
  { signature }: Pick<BuiltFunctions, 'signature'>,
): Readonly<Record<string, string>> {
  const moduleOf = (scheme: string) => signature[scheme] ?? notBuilt(`signature scheme ${scheme}`);
  const schemes = [...new Set(requestForms(webhook).map((form) => form.signature.scheme))];
  const [only, second] = schemes;
  if (second === undefined && only !== undefined) return { 'signature.js': moduleOf(only) };
  const files = schemes.map((scheme) => [`signature-${scheme}.js`, moduleOf(scheme)] as const);
  return { 'signature.js': chooserOf(schemes), ...Object.fromEntries(files) };
}

/** Returns the code of a module that has the functions of a signature scheme, and calls those of the scheme that it is given. */
function chooserOf(schemes: readonly string[]): string {
  const modules = schemes.map((scheme) => `${JSON.stringify(scheme)}:require("./signature-${scheme}.js")`);
  const functions = ['createVerifier', 'createTokenReader', 'headersRead', 'isUsableSecret'];
  const chosen = functions.map(
    (name) => `${name}:(scheme,...rest)=>schemes[scheme.scheme].${name}(scheme,...rest)`,
  );
  return `"use strict";const schemes={${modules}};module.exports={${chosen}};\n`;
}

function notBuilt(what: string): never {
  throw new Error(`The ${what} was not built: run "npm run build" in the clone of the repository.`);
}

/** Removes the parts that no function reads: the samples, which served the validation, and the description. */
function forFunctions(contract: Contract): BundledContract {
  const { $schema: _, about: __, lookups, ...rest } = contract;
  return { ...rest, lookups: lookups && { ...lookups, samples: [] }, samples: [] };
}

function forIngest(contract: Contract): BundledWebhook {
  const { retries: _, ...webhook } = contract.webhook;
  return { ...webhook, hash: contractHash(contract) };
}
