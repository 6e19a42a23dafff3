import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { contractFiles } from '../../../contract/document/contract-file-store.ts';
import {
  describesEvents,
  explainRenamed,
  listPresets,
  presetNames,
  presetPath,
  readExtended,
} from '../../../contract/document/extend.ts';
import { omitUndefined } from '../../../functions/base/basics.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addConfirmOption, type ConfirmOptions, confirmHere } from '../../input/confirm.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, explainFileErrors } from '../../target/errors.ts';
import { shellQuoted } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import { appFiles, install } from './app-files.ts';

const examples: CommandTexts = {
  examples: ['init my-app', 'init my-app --preset twilio'],
  details:
    'Writes a CDK app that deploys the pipeline and runs it on one machine: cdk.json, app.ts with a test, contract.json, keywords.json, package.json and README.md. A file that exists is never overwritten.',
};

interface InitOptions extends ConfirmOptions {
  readonly preset?: string;
}

export function addInit(parent: Command, { terminal }: Context): void {
  const command = parent
    .command('init')
    .summary('write an app that deploys the pipeline')
    .description('Writes a CDK app that deploys the pipeline, with nothing but this package.')
    .argument('[folder]', 'the folder of the app', '.')
    .addOption(presetOption());
  addConfirmOption(command, 'write into a folder that holds other files without a question')
    .explain(examples)
    .action(async (folder: string, options: InitOptions) => {
      const path = resolve(folder);
      const files = filesOf(path, options.preset);
      const present = await namesIn(path);
      const existing = Object.keys(files).filter((file) => present.includes(file));
      if (existing.length > 0)
        throw new CommandFailure(
          `Nothing was written, because ${existing.length === 1 ? 'this file exists' : 'these files exist'}: ${existing.map((file) => join(path, file)).join(', ')}. Choose an empty folder.`,
        );
      if (present.some((name) => name !== '.git'))
        await confirmHere(
          {
            text: `${path} holds other files`,
            confirms: 'writes the app beside them',
            refused: 'Nothing was written.',
          },
          options,
          terminal,
        );
      await explainFileErrors(
        (code) => `${path} cannot be written (${code}). Choose another folder.`,
        () => write(path, files),
      );
      const here = relative(process.cwd(), path);
      terminal.out(
        `Written to ${sanitize(path)}. Next: ${here === '' ? '' : `cd ${shellQuoted(here)} && `}${install} && npm run demo\n<clone> is the folder in which npm pack made the package.\n`,
      );
    });
}

function presetOption(): Option {
  const option = new Option('--preset <name>', 'the contract of an SMS service, instead of the example');
  option.choices(presetNames(contractFiles));
  return option.argParser((name: string) => {
    if (presetNames(contractFiles).includes(name)) return name;
    throw new InvalidArgumentError(
      explainRenamed(name) ?? `Allowed choices are ${listPresets(contractFiles)}.`,
    );
  });
}

function filesOf(folder: string, preset: string | undefined): Readonly<Record<string, string>> {
  const name =
    basename(folder)
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'sms-app';
  return appFiles({
    name,
    ...omitUndefined({ preset: preset === undefined ? undefined : readPreset(preset) }),
  });
}

/** Returns the names in a folder; none if there is no folder yet. @throws CommandFailure if something else is there */
async function namesIn(folder: string): Promise<readonly string[]> {
  return explainFileErrors(
    (code) =>
      `${folder} cannot be the folder of an app (${code}). Name a folder, or none for the current one.`,
    async () => (existsSync(folder) ? await readdir(folder) : []),
  );
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  // A file that another process has made meanwhile is not overwritten either.
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text, { flag: 'wx' });
}

function readPreset(name: string) {
  const { document } = readExtended(presetPath(name, contractFiles), contractFiles);
  return { name, isService: describesEvents(document) };
}
