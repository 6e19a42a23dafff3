import { canonicalStatuses } from '../../../contract/schema/sms-event.ts';
import { omitUndefined } from '../../../functions/base/basics.ts';
import type { SendFigures } from '../../../functions/insights/index.ts';
import { selectMessages, viewSend } from '../../../functions/query/index.ts';
import { messageSchema, pageSchema } from '../../../functions/query/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import {
  addIdPrefixOption,
  addListOptions,
  addStatusOption,
  type IdPrefixOptions,
  type ListOptions,
  openRange,
  readFilter,
  type StatusOptions,
} from '../../input/list-options.ts';
import { notEmpty } from '../../input/options.ts';
import { describeCounts } from '../../output/figures-format.ts';
import { countStatuses, messageFormat } from '../../output/message-format.ts';
import { showList } from '../../output/show-list.ts';
import type { Context } from '../../target/context.ts';
import { sanitize } from '../../text/sanitize.ts';

const examples: CommandTexts = {
  output: pageSchema(messageSchema),
  examples: [
    'send show send-0001',
    'send show send-0001 --status undelivered,failed,rejected,expired --all --csv > failures.csv',
    'send show send-0001 --all --csv > send-0001.csv',
  ],
  details:
    'The first line counts the whole send, about 15 seconds late. The messages are ordered by the time they were first seen.',
};

/** Adds `send show <id>`, which lists the messages of a bulk send. */
export function addSendShow(send: Command, context: Context): void {
  const command = send
    .command('show')
    .summary('the messages of one send')
    .description('Shows how one send is doing, and its messages with their statuses, newest first.')
    .argument('<sendId>', 'the id of the send, as the SMS service names it', notEmpty);
  addListOptions(addStatusOption(addIdPrefixOption(command, 'messages')))
    .explain(examples)
    .action(
      async (sendId: string, { idPrefix, ...options }: ListOptions & StatusOptions & IdPrefixOptions) => {
        const where = selectMessages({ idPrefix });
        const filter = { ...readFilter(options, canonicalStatuses), ...omitUndefined({ where }) };
        let figures: SendFigures | undefined;
        await showList(context, options, {
          range: openRange,
          open: async (connection) => {
            const [history, counters] = await Promise.all([connection.history(), connection.counters()]);
            figures = await counters.send(sendId);
            return (range, page) => history.send({ sendId, ...filter, ...range }, page);
          },
          heading: () => (figures === undefined ? '' : describeCounts(viewSend(figures))),
          format: messageFormat('firstSeen'),
          title: () => `messages of the send "${sanitize(sendId)}"`,
          summary: countStatuses,
        });
      },
    );
}
