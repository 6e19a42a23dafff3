import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { contractFiles } from '../../../contract/document/contract-file-store.ts';
import { presetNames } from '../../../contract/document/extend.ts';
import { defined } from '../../../functions/runtime/basics.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure } from '../../target/errors.ts';
import { appFiles } from './app-files.ts';

const examples = `
Examples:
  npx sms-event-pipeline init my-app
  npx sms-event-pipeline init my-app --preset twilio

Writes a CDK app that deploys the pipeline and runs it on one machine: cdk.json, app.ts with a test, contract.json,
keywords.json, package.json and README.md. A file that exists is never overwritten.

Exit codes: 0 done, 1 a file exists, 2 wrong usage.`;

export function addInit(parent: Command, { terminal }: Context): void {
  parent
    .command('init')
    .summary('write an app that deploys the pipeline')
    .description('Writes a CDK app that deploys the pipeline, with nothing but this package.')
    .argument('[folder]', 'the folder of the app', '.')
    .addOption(
      new Option('--preset <name>', 'the contract of an SMS service, instead of the example').choices(
        presetNames(contractFiles),
      ),
    )
    .addHelpText('after', examples)
    .action((folder: string, { preset }: { readonly preset?: string }) => {
      const path = resolve(folder);
      writeApp(path, preset);
      const here = relative(process.cwd(), path);
      terminal.out(
        `Written to ${path}. Next: ${here === '' ? '' : `cd ${here} && `}npm install && npm run demo\n`,
      );
    });
}

function writeApp(folder: string, preset: string | undefined): void {
  const name =
    basename(folder)
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'sms-app';
  const files = Object.entries(
    appFiles({ name, ...defined({ preset: preset === undefined ? undefined : readPreset(preset) }) }),
  );
  const existing = files.map(([file]) => join(folder, file)).filter(existsSync);
  if (existing.length > 0)
    throw new CommandFailure(
      `Nothing was written, because ${existing.length === 1 ? 'this file exists' : 'these files exist'}: ${existing.join(', ')}. Choose an empty folder.`,
    );
  mkdirSync(folder, { recursive: true });
  // A file that another process has made meanwhile is not overwritten either.
  for (const [file, text] of files) writeFileSync(join(folder, file), text, { flag: 'wx' });
}

function readPreset(name: string) {
  return { name, document: JSON.parse(readFileSync(join(contractFiles.presets, `${name}.json`), 'utf8')) };
}
