import type { Help } from 'commander';
import * as z from 'zod';
import { addCompletion } from '../../cli/help/completion.ts';
import { inFull } from '../../cli/help/format-help.ts';
import { helpTopics } from '../../cli/help/help-command.ts';
import type { Command, NamedCommand } from '../../cli/input/command.ts';
import { isTargetOption } from '../../cli/input/options.ts';
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
      ...{ out: unused, err: unused, bytes: unused, closed: unused, ask: undefined },
      ...{ colour: false, columns: undefined, zone: 'UTC', isWatched: false, debug: false },
    },
    ...{ clock: unused, newId: unused, connect: unused, post: unused, beginWaiting: unused },
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

/** Options that many commands share. The topics explain them. */
const common = new Set(
  ['json', 'csv', 'reveal', 'limit', 'all', 'cursor', 'follow', 'since', 'until', 'status', 'help'].map(
    (name) => `--${name}`,
  ),
);

/** Writes docs/reference/cli.md: one row for each command, then the topics of the help. */
export function cliReference(): string {
  const help = program.createHelp();
  const topics = Object.entries(helpTopics).map(
    ([name, text]) => `## ${name[0]?.toUpperCase()}${name.slice(1)}\n\n\`\`\`text\n${text}\`\`\``,
  );
  return [
    '# Command line',
    [
      'Made by `npm run generate` from the commands; do not edit.',
      '`--help` shows the options and examples of a command, and `sms help <command>` also its limits and permissions.',
      'JSON links to the schema of what `--json` writes.',
    ].join('\n'),
    (program.texts.notes ?? '').replaceAll(/(?<=\.) /g, '\n').replaceAll('<', '&lt;'),
    ['| command | does | JSON |', '|---|---|---|', ...commands.map((command) => rowOf(command, help))].join(
      '\n',
    ),
    ...topics,
  ]
    .join('\n\n')
    .concat('\n');
}

function rowOf({ words, command }: NamedCommand, help: Help): string {
  const own = command.options.filter((option) => !isTargetOption(option) && !common.has(option.long ?? ''));
  const usage = [
    `sms ${words}`,
    ...command.registeredArguments.map((argument) =>
      argument.required ? `<${help.argumentTerm(argument)}>` : `[${help.argumentTerm(argument)}]`,
    ),
    ...own.map((option) => `[${option.long ?? option.flags}]`),
  ].join(' ');
  const schema = command.texts.output === undefined ? '' : `[JSON](../../${schemaFile(words)})`;
  return `| \`${usage}\` | ${command.summary() || command.description()} | ${schema} |`.replaceAll(
    /(?<=\w)\|(?=\w)/g,
    '\\|',
  );
}
