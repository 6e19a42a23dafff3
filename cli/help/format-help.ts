import type { Command as CommanderCommand, Help } from 'commander';
import { Command } from '../input/command.ts';
import { isTargetOption } from '../input/options.ts';

/** Formats the help of a command: what it does, examples, then arguments, options and subcommands. For commander's configureHelp. */
export function formatHelp(command: CommanderCommand, help: Help): string {
  const width = help.helpWidth ?? 100;
  const termWidth = help.padWidth(command, help);
  const wrapped = (text: string) => (text === '' ? [] : [help.boxWrap(text, width), '']);
  const section = (title: string, items: readonly (readonly [string, string])[]) =>
    items.length === 0
      ? []
      : [
          help.styleTitle(title),
          ...items.map(([term, description]) => help.formatItem(term, termWidth, description, help)),
          '',
        ];
  const { examples, notes = '' } = command instanceof Command ? command.texts : { examples: [] };
  // Every command has --help; only the program lists it.
  const options = help
    .visibleOptions(command)
    .filter((option) => !isTargetOption(option) && (command.parent === null || option.long !== '--help'));
  const words = help.visibleArguments(command);
  const lines = [
    ...wrapped(help.commandDescription(command)),
    ...(examples.length === 0
      ? []
      : [help.styleTitle('Examples:'), ...examples.map((example) => `  ${inFull(example)}`), '']),
    `${help.styleTitle('Usage:')} ${help.styleUsage(help.commandUsage(command))}`,
    '',
    ...section(words.length > 0 ? 'Arguments and options:' : 'Options:', [
      ...words.map((word) => [help.argumentTerm(word), help.argumentDescription(word)] as const),
      ...options.map((option) => [help.optionTerm(option), help.optionDescription(option)] as const),
      ...(command.options.some(isTargetOption) ? [targetHint] : []),
    ]),
    ...section(
      'Commands:',
      help.visibleCommands(command).map((sub) => [help.subcommandTerm(sub), help.subcommandDescription(sub)]),
    ),
    ...wrapped(notes),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

const targetHint = [
  '--local, ...',
  'the pipeline: --profile, --region, --stack, ... (sms help targets)',
] as const;

/** An example with the program's name, unless it begins with another program. */
export function inFull(example: string): string {
  return /^npx |\| /.test(example) ? example : `sms ${example}`;
}
