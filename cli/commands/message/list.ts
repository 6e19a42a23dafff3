import { Option } from 'commander';
import { messageSchema, pageSchema } from '../../../functions/query/views/view-schemas.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import {
  addListOptions,
  addStatusOption,
  type ListOptions,
  lastDay,
  openRange,
  readFilter,
  type StatusOptions,
  statusesThatAre,
} from '../../input/list-options.ts';
import { countStatuses, messageFormat } from '../../output/message-format.ts';
import { showList } from '../../output/show-list.ts';
import type { Context } from '../../target/context.ts';
import { UsageError } from '../../target/errors.ts';

type State = 'failed' | 'pending';

const accepted = { failed: statusesThatAre('failure'), pending: statusesThatAre('open') } as const;

const texts: CommandTexts = {
  output: pageSchema(messageSchema),
  examples: [
    'message list',
    'message list --since yesterday --until today --all --csv > failed.csv',
    'message list --status rejected,expired --since 7d',
    'message list --state pending --until 24h',
  ],
  notes: 'Failed messages of the last 24 hours without --since; pending ones of all time.',
  details:
    'Failed messages are ordered by the time of their final report, pending ones by the time they were first seen. A status that the contract does not list keeps a message pending.',
};

interface MessageListOptions extends ListOptions, StatusOptions {
  readonly state: State;
}

/** Adds `message list`, which lists messages that failed or have no final status. */
export function addMessageList(message: Command, context: Context): void {
  const command = message
    .command('list')
    .summary('messages that failed, or have no final status')
    .description('Shows messages that did not arrive, or those that have no final status yet, newest first.')
    .addOption(
      new Option('--state <state>', 'failed or pending').choices(['failed', 'pending']).default('failed'),
    );
  addListOptions(addStatusOption(command))
    .explain(texts)
    .action(async ({ state, ...options }: MessageListOptions) => {
      const filter = readFilter(options, accepted[state]);
      // A pending message that gets the status later would be missed; a failed one enters the list with its final status.
      if (state === 'pending' && options.follow === true && options.status !== undefined)
        throw new UsageError('--status cannot be used with --follow and --state pending.');
      const list = { summary: countStatuses };
      if (state === 'failed')
        await showList(context, options, {
          ...list,
          range: lastDay,
          open: async (connection) => {
            const history = await connection.history();
            return (range, page) => history.failed({ ...filter, ...range }, page);
          },
          format: messageFormat('ended'),
          title: () => 'messages that failed',
        });
      else
        await showList(context, options, {
          ...list,
          range: openRange,
          open: async (connection) => {
            const history = await connection.history();
            return (range, page) => history.pending({ ...filter, ...range }, page);
          },
          format: messageFormat('firstSeen'),
          title: () => 'messages without a final status',
        });
    });
}
