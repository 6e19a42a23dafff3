import type { Help } from 'commander';
import * as z from 'zod';
import { addCompletion } from '../../cli/help/completion.ts';
import { inFull } from '../../cli/help/format-help.ts';
import type { Command, NamedCommand } from '../../cli/input/command.ts';
import { buildProgram } from '../../cli/program.ts';

const unused = () => {
  throw new Error('the reference runs no command');
};

/** Every command of the command line. */
async function allCommands(): Promise<{
  readonly program: Command;
  readonly commands: readonly NamedCommand[];
}> {
  const program = buildProgram({
    terminal: {
      out: unused,
      err: unused,
      bytes: unused,
      closed: unused,
      ask: undefined,
      colour: false,
      columns: undefined,
      zone: 'UTC',
      isWatched: false,
      debug: false,
    },
    clock: unused,
    newId: unused,
    connect: unused,
    post: unused,
    beginWaiting: unused,
    targetSources: unused,
    startLocally: unused,
  });
  await addCompletion(program, []);
  return { program, commands: [...program.leaves()] };
}

const { program, commands } = await allCommands();

/** The path of the JSON schema of what a command writes with --json. */
const schemaFile = (words: string) => `schemas/cli/${words.replaceAll(' ', '-')}.json`;

/** Makes the JSON Schemas (draft 2020-12) of the documents of --json, by path. They allow further fields, which a later release may add. */
export function outputSchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    commands.flatMap(({ words, command }) => {
      const { output } = command.texts;
      if (output === undefined) return [];
      const { $schema, id: _, ...schema } = z.toJSONSchema(output, { target: 'draft-2020-12', io: 'input' });
      return [[schemaFile(words), { $schema, title: `sms ${words} --json`, ...schema }]];
    }),
  );
}

/** Lists the examples of the help of every command, as calls of `sms`. */
export function helpExamples(): readonly string[] {
  const lines = commands.flatMap(({ command }) => command.texts.examples.map(inFull));
  return lines.map((line) => line.replace(/^npx sms(?:-event-pipeline)? /, 'sms '));
}

/** Writes docs/reference/cli.md: one line for each command. */
export function cliReference(): string {
  const help = program.createHelp();
  return [
    '# Command line',
    [
      'Made by `npm run generate`; do not edit.',
      '`sms help <command>` shows options, examples and limits.',
      'The package has a JSON schema of what each command writes with `--json`: `sms-event-pipeline/schemas/cli/message-get`.',
    ].join('\n'),
    (program.texts.notes ?? '').replaceAll(/(?<=\.) /g, '\n').replaceAll('<', '&lt;'),
    blockOf(commands.map((command) => [usageOf(command, help), summaryOf(command)])),
    '`sms help lists` explains the options that lists share, and `sms help targets` those that name a pipeline.',
  ]
    .join('\n\n')
    .concat('\n');
}

type Line = readonly [name: string, meaning: string];

function blockOf(lines: readonly Line[]): string {
  const width = Math.max(...lines.map(([name]) => name.length));
  return ['```text', ...lines.map(([name, meaning]) => `${name.padEnd(width)}  ${meaning}`), '```'].join(
    '\n',
  );
}

const summaryOf = ({ command }: NamedCommand) => command.summary() || command.description();

/** The words of a command and its arguments, without its options. */
function usageOf({ words, command }: NamedCommand, help: Help): string {
  const names = command.registeredArguments.map((argument) => {
    const term = help.argumentTerm(argument);
    return argument.required ? `<${term}>` : `[${term}]`;
  });
  return [words, ...names].join(' ');
}
