import { InvalidArgumentError, Option } from 'commander';
import { type CanonicalErrorReason, canonicalErrorReasons } from '../../../contract/schema/sms-event.ts';
import { omitUndefined } from '../../../functions/base/basics.ts';
import { selectMessages } from '../../../functions/query/index.ts';
import { messageSchema, pageSchema } from '../../../functions/query/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import {
  addIdPrefixOption,
  addListOptions,
  addStatusOption,
  type IdPrefixOptions,
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

type State = 'failed' | 'pending' | 'unknown';

const accepted = {
  failed: statusesThatAre('failure'),
  pending: statusesThatAre('open'),
  unknown: statusesThatAre('unknown'),
} as const;

const texts: CommandTexts = {
  output: pageSchema(messageSchema),
  examples: [
    'message list',
    'message list --since yesterday --until today --all --csv > failed.csv',
    'message list --status rejected,expired --since 7d',
    'message list --reason unreachable --country BR --since 7d',
    'message list --id-prefix msg-0 --since 30d',
    'message list --state pending --until 24h --oldest-first',
    'message list --state unknown --since 7d',
  ],
  notes: 'Failed and unknown messages of the last 24 hours without --since; pending ones of all time.',
  details:
    'Failed and unknown messages are ordered by the time of their final report, pending ones by the time they were first seen. A message without a final report becomes unknown after a while. A status that the contract does not list keeps a message pending.',
};

interface MessageListOptions extends ListOptions, StatusOptions, IdPrefixOptions {
  readonly state: State;
  readonly reason?: CanonicalErrorReason;
  readonly code?: string;
  readonly country?: string;
  readonly oldestFirst?: true;
}

/** Reads --country. */
function country(text: string): string {
  const code = text.toUpperCase();
  if (/^[A-Z]{2}$/.test(code)) return code;
  throw new InvalidArgumentError('Expected the two letters of a country, for example BR.');
}

/** Adds `message list`, which lists messages that failed, have no final status, or are unknown. */
export function addMessageList(message: Command, context: Context): void {
  const command = message
    .command('list')
    .summary('messages that failed, are pending or unknown')
    .description(
      'Shows messages that did not arrive, those that have no final status yet, or those whose outcome is unknown, newest first.',
    )
    .addOption(
      new Option('--state <state>', 'failed, pending or unknown')
        .choices(['failed', 'pending', 'unknown'])
        .default('failed'),
    )
    .addOption(
      new Option('--reason <reason>', 'only messages that failed for this reason').choices(
        canonicalErrorReasons,
      ),
    )
    .option('--code <code>', 'only messages that failed with this code of the service')
    .addOption(
      new Option('--oldest-first', 'pending messages: the one that waits longest first').conflicts('follow'),
    )
    .option('--country <country>', 'only messages to this country: US, BR, ...', country);
  addListOptions(addStatusOption(addIdPrefixOption(command, 'messages')))
    .explain(texts)
    .action(
      async ({ state, reason, code, country, idPrefix, oldestFirst, ...options }: MessageListOptions) => {
        if (state !== 'failed' && (reason !== undefined || code !== undefined))
          throw new UsageError('--reason and --code are for messages that failed: --state failed.');
        if (state !== 'pending' && oldestFirst === true)
          throw new UsageError('--oldest-first is for pending messages: --state pending.');
        const where = selectMessages({ idPrefix, reason, code, country });
        const filter = { ...readFilter(options, accepted[state]), ...omitUndefined({ where }) };
        // A pending message that gets the status later would be missed; a failed one enters the list with its final status.
        if (state === 'pending' && options.follow === true && options.status !== undefined)
          throw new UsageError('--status cannot be used with --follow and --state pending.');
        const list = { summary: countStatuses };
        if (state !== 'pending')
          await showList(context, options, {
            ...list,
            range: lastDay,
            open: async (connection) => {
              const history = await connection.history();
              return (range, page) => history[state]({ ...filter, ...range }, page);
            },
            format: messageFormat('ended'),
            title: () => (state === 'failed' ? 'messages that failed' : 'messages that are unknown'),
          });
        else
          await showList(context, options, {
            ...list,
            range: openRange,
            open: async (connection) => {
              const history = await connection.history();
              const order = oldestFirst === true ? ({ order: 'oldest' } as const) : {};
              return (range, page) => history.pending({ ...filter, ...range, ...order }, page);
            },
            format: messageFormat('firstSeen'),
            title: () => 'messages without a final status',
            order: oldestFirst === true ? 'oldest first' : undefined,
          });
      },
    );
}
