import { viewSend } from '../../../functions/query/index.ts';
import { sendSchema } from '../../../functions/query/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { chosenFields } from '../../input/json-option.ts';
import { addTargetOptions, notEmpty, type TargetOptions, targetOf } from '../../input/options.ts';
import { describeCounts } from '../../output/figures-format.ts';
import { pollMs } from '../../output/follow.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure } from '../../target/errors.ts';
import { tolerating } from '../../target/polling.ts';
import { formatTime } from '../../text/format.ts';
import { sanitize, toJsonLine } from '../../text/sanitize.ts';

const examples: CommandTexts = {
  output: sendSchema,
  examples: ['send follow send-0001', 'send follow send-0001 --json delivered,pending'],
  details: 'It ends once no message is pending, or with Ctrl-C. More reports may still follow.',
};

/** Adds `send follow <id>`, which shows the figures of a send each time they change. */
export function addSendFollow(send: Command, context: Context): void {
  const command = send
    .command('follow')
    .summary('the figures of one send, as they change')
    .description('Shows how many messages of a send were delivered, and again each time that changes.')
    .argument('<sendId>', 'the id of the send, as the SMS service names it', notEmpty);
  addTargetOptions(command)
    .explain(examples)
    .action(async (sendId: string, options: TargetOptions) => {
      const { terminal, clock } = context;
      const wait = context.beginWaiting();
      const counters = await context.connect(targetOf(options)).counters();
      const tolerate = tolerating(terminal);
      let send = await counters.send(sendId);
      if (send === undefined)
        throw new CommandFailure(
          `No report of the send "${sanitize(sendId)}" has been counted. New ones are within about 15 seconds: try again, or list the sends with: sms send list`,
        );
      let shown = '';
      do {
        const view = viewSend(send);
        const line =
          options.json === undefined ? describeCounts(view) : toJsonLine(chosenFields(view, options.json));
        if (line !== shown)
          terminal.out(
            options.json === undefined
              ? `${formatTime(new Date(clock()).toISOString(), terminal.zone)}  ${line}\n`
              : `${line}\n`,
          );
        shown = line;
        if (view.pending <= 0) return;
        if (!(await wait(pollMs))) return;
        send = (await tolerate(() => counters.send(sendId))) ?? send;
      } while (!terminal.closed());
    });
}
