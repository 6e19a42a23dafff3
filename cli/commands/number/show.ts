import { canonicalStatuses } from '../../../contract/schema/sms-event.ts';
import { omitUndefined } from '../../../functions/base/basics.ts';
import { digitSpellings, type HistoryLists, type OptOutChange } from '../../../functions/history/index.ts';
import { selectTimeline } from '../../../functions/query/index.ts';
import { pageSchema, timelineEntrySchema } from '../../../functions/query/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import {
  addChannelOption,
  addListOptions,
  addStatusOption,
  type ChannelOptions,
  type ListOptions,
  openRange,
  readFilter,
  type StatusOptions,
} from '../../input/list-options.ts';
import { addNumberArgument, type NumberOptions, readNumber } from '../../input/phone-argument.ts';
import { describeState } from '../../output/opt-out-format.ts';
import { showPhone } from '../../output/print.ts';
import { showList } from '../../output/show-list.ts';
import { timelineFormat } from '../../output/timeline-format.ts';
import type { Context } from '../../target/context.ts';

interface HistoryPhoneOptions extends ListOptions, StatusOptions, ChannelOptions, NumberOptions {}

const examples: CommandTexts = {
  output: pageSchema(timelineEntrySchema),
  examples: [
    'number show +1 202 555 0143',
    'number show "(202) 555-0143" --country US --limit 50',
    'number show +12025550143 --since yesterday --follow',
  ],
  details:
    "A number without a country code belongs to --country. Without --country it is read as the contract's events.numbers and events.defaultCountry say. --status leaves out replies.",
};

/** Adds `number show <number>`, which lists the messages to a number and the replies from it. */
export function addNumberShow(number: Command, context: Context): void {
  const command = number
    .command('show')
    .summary('the timeline of one number: messages and replies')
    .description(
      'Shows whether a number opted out, the messages to it and the replies from it, newest first.',
    );
  addListOptions(addChannelOption(addStatusOption(addNumberArgument(command))))
    .explain(examples)
    .action(async (words: readonly string[], options: HistoryPhoneOptions) => {
      const phone = await readNumber(words, options, context);
      const filter = readFilter(options, canonicalStatuses);
      const where = omitUndefined({ where: selectTimeline({ channel: options.channel }) });
      let state: OptOutChange | undefined;
      await showList(context, options, {
        range: openRange,
        open: async (connection) => {
          const history = await connection.history();
          state = await (await connection.optOuts()).number(phone);
          for (const digits of await storedDigits(phone, history))
            context.terminal.err(
              `Entries are stored as ${digits}, which may be this number: sms number show ${digits} --as-written\n`,
            );
          return (range, page) => history.phone({ phone, ...filter, ...where, ...range }, page);
        },
        format: timelineFormat,
        heading: (view) => `${showPhone(phone, view)}: ${describeState(state, view)}`,
        title: (view) => `messages to ${showPhone(phone, view)} (→) and replies from it (←)`,
        nothing: (view) => `Nothing in the history of ${showPhone(phone, view)}`,
      });
    });
}

/** Returns the digits without "+" under which the history has entries that may be those of a number. */
async function storedDigits(phone: string, { phone: list }: Pick<HistoryLists, 'phone'>): Promise<string[]> {
  const spellings = await Promise.all(
    digitSpellings(phone).map(async (digits) => {
      const { entries } = await list({ phone: digits }, { limit: 1 });
      return entries.length === 0 ? [] : [digits];
    }),
  );
  return spellings.flat();
}
