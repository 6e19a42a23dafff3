import type { Help, Option } from 'commander';
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

/** Writes docs/reference/cli.md. */
export function cliReference(): string {
  const help = program.createHelp();
  const topics = Object.entries(helpTopics).map(
    ([name, text]) => `## ${name[0]?.toUpperCase()}${name.slice(1)}\n\n\`\`\`text\n${text}\`\`\``,
  );
  return [
    '# Reference of the command line',
    'Made by `npm run generate` from the commands themselves; do not edit. [The guide](../guides/find-a-message.md) shows what to use when.',
    escaped(program.texts.notes ?? ''),
    commands.map(({ words }) => `[${words}](#sms-${words.replaceAll(' ', '-')})`).join(' · '),
    ...commands.map((command) => section(command, help)),
    ...topics,
  ]
    .join('\n\n')
    .concat('\n');
}

function section({ words, command }: NamedCommand, help: Help): string {
  const { examples, notes = '', details = '', output } = command.texts;
  const options = command.options.filter((option) => !isTargetOption(option) && option.long !== '--help');
  const rows = [
    ...command.registeredArguments.map((argument) => [
      help.argumentTerm(argument),
      help.argumentDescription(argument),
    ]),
    ...options.map((option) => [help.optionTerm(option), describe(option, help)]),
    ...(command.options.some(isTargetOption)
      ? [['--local, --profile, ...', 'the pipeline: [targets](#targets)']]
      : []),
  ];
  const table = rows.map(([term = '', text = '']) => `| \`${term.replaceAll('|', '\\|')}\` | ${text} |`);
  return [
    `## sms ${words}`,
    escaped(command.description()),
    `\`\`\`sh\n${examples.map(inFull).join('\n')}\n\`\`\``,
    ...(table.length === 0 ? [] : [['| argument or option | meaning |', '|---|---|', ...table].join('\n')]),
    ...[notes, details].filter((text) => text !== '').map(escaped),
    ...(output === undefined ? [] : [`\`--json\` writes [this document](../../${schemaFile(words)}).`]),
  ].join('\n\n');
}

function describe(option: Option, help: Help): string {
  return escaped(help.optionDescription(option)).replaceAll('|', '\\|');
}

function escaped(text: string): string {
  return text.replaceAll('<', '&lt;');
}
