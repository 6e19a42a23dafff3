import { Help } from 'commander';
import { canonicalStatuses } from '../../contract/schema/sms-event.ts';
import { Command } from '../input/command.ts';
import { findCommand } from './find-command.ts';

/** Help that belongs to many commands, by its name. */
const helpTopics: Readonly<Record<string, string>> = {
  lists: `Lists (message list, number show, send show, reply list, opt-out list, quarantine list)

  --since and --until take ISO 8601 (2026-01-15, "2026-01-15 09:30", 2026-01-15T12:30:05Z; without a
  zone it is local time), now, today, yesterday, or how long ago: 90s, 15m, 2h, 3d, 1w.
  --status takes ${canonicalStatuses.slice(0, 5).join(', ')},
  ${canonicalStatuses.slice(5).join(', ')}.
  --source <name> shows the entries of one source, of a pipeline with several.
  --limit is 20; --all reads every entry; --cursor <cursor> continues from the cursor of a page.
  Tables mask numbers (•••0143) unless --reveal is given; --json and --csv show them in full,
  in UTC.
  --json writes {"entries": [...], "next": <cursor or null>}; with --follow one document a line for
  each entry.
  --json messageId,status writes only these fields of each entry.
  It writes page by page: after a failure (exit code 1) the document lacks its end.
  --csv puts an apostrophe before a text that a spreadsheet would take for a formula.
  --follow reads every 2 s and shows each entry once. It may miss an entry that arrives more than
  30 s after its time. After a network failure it tries again, up to four times.
`,
  targets: `The pipeline that a command works with. sms target shows what is used, and why.
Named by the first of

  1. options, see below
  2. SMS_TARGET, or else .smsrc in this folder or in one above it (sms target <target>): local,
     local:<folder> or <profile>/<region>/<stack>
  3. the setting sms:stackName of the app, for the stack only
  4. the AWS CLI's profile and region, and the stack SmsPipeline

Options of another kind of pipeline (--local or --dir, else --profile or --region) and
--profile with another profile name another pipeline: 2 is left out then.
Where AWS_PROFILE contradicts 2, add --profile.

  --local            the pipeline on this machine (npm start)
  --dir <folder>     the same, with the --dir that npm start was given
  --profile <name>   profile of the AWS configuration files
  --region <region>  AWS region of the stack (default: as the AWS CLI)
  --stack <name>     the stack that holds the pipeline; <name>:<id> if it holds several
  --source <name>    the source, of a pipeline with several
`,
};

/** Adds `help [words...]`: the help of a command, or a topic. */
export function addHelpCommand(program: Command, out: (text: string) => void, columns: () => number): void {
  program
    .command('help')
    .summary('show the help of a command, or of a topic: lists, targets')
    .description('Shows the help of a command or of a topic.')
    .argument('[words...]', 'a command, or a topic: lists, targets')
    .explain({ examples: ['help message get', 'help lists'] })
    .action((words: readonly string[]) => {
      const topic = words.length === 1 ? helpTopics[words[0] ?? ''] : undefined;
      if (topic !== undefined) out(topic);
      else {
        const command = findCommand(program, words);
        command.outputHelp();
        const { details } = command instanceof Command ? command.texts : {};
        if (details !== undefined) out(`\n${inLines(details, columns())}\n`);
      }
    });
}

/** Writes each sentence on lines of its own. */
function inLines(text: string, columns: number): string {
  const help = new Help();
  const sentences = text.split(/(?<=[.:]) (?=[A-Z])/);
  return sentences.map((sentence) => help.boxWrap(sentence, columns)).join('\n');
}
