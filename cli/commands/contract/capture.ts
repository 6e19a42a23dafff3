import { InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { formatDuration } from '../../../functions/base/basics.ts';
import { captureLimits } from '../../../functions/receive/index.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addTargetOptions, type TargetOptions, targetOf } from '../../input/options.ts';
import { printResult, type View } from '../../output/print.ts';
import type { Context } from '../../target/context.ts';
import { formatTime } from '../../text/format.ts';
import { renderFields } from '../../text/table.ts';

/** The state of capturing. */
const captureReport = z.object({
  /** The end of the capture, ISO 8601 in UTC; null if requests are not captured. */
  captureUntil: z.iso.datetime().nullable(),
});

type CaptureReport = z.output<typeof captureReport>;

/** Renders whether requests are captured. @param now milliseconds since the epoch */
function renderCapture({ captureUntil }: CaptureReport, now: number, view: View): string {
  if (captureUntil === null)
    return renderFields([['Capture', 'off: unverifiable requests are refused']], view);
  const left = formatDuration(Date.parse(captureUntil) - now);
  return renderFields(
    [
      ['Capture', view.style('yellow', 'on: unverifiable requests are kept in quarantine')],
      ['Until', `${formatTime(captureUntil, view.zone)}, for another ${left}`],
      ['Requests', 'quarantine list --reason captured'],
    ],
    view,
  );
}

interface OnOptions extends TargetOptions {
  /** Milliseconds. */
  readonly for: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const onNotes: CommandTexts = {
  output: captureReport,
  examples: ['contract capture on --for 2h', 'contract capture on', 'quarantine list --reason captured'],
  details: `During a capture the webhook acknowledges requests that it would reject with 401, so that the SMS service does not retry them. It keeps them whole in quarantine, with credentials masked. They become history only after a replay that verifies their signatures. The command changes an environment variable of the function ingest, which Lambda applies within seconds; a deployment that changes the function sets it to the value of sms:captureUntil again. Each instance keeps at most ${captureLimits.requests} requests, and ${captureLimits.requestsOfOneSender} of one sender. With sms:parkUnverified=always, requests that match no secret are parked instead.`,
};

/** Adds `contract capture on|off|status`, which keeps for a while the requests that the webhook would reject. */
export function addContractCapture(contract: Command, context: Context): void {
  const capture = contract
    .command('capture')
    .summary('keep requests that the webhook would reject')
    .description(
      'Keeps whole requests that the webhook would reject for a while, to derive the contract from them. Without a command it shows the status.',
    );
  addTargetOptions(
    capture
      .command('on')
      .summary('begin a capture, or change its end')
      .description('Keeps requests that the webhook would reject, from now on.')
      .addOption(
        new Option('--for <duration>', 'how long: from 1m to 24h')
          .default(hourMs, '1h')
          .argParser(readDuration),
      ),
  )
    .explain(onNotes)
    .action((options: OnOptions) =>
      show(options, context, new Date(context.clock() + options.for).toISOString()),
    );
  addTargetOptions(
    capture
      .command('off')
      .summary('end the capture')
      .description('Rejects unverifiable requests again. Captured requests stay in quarantine.'),
  )
    .explain({ examples: ['contract capture off'], output: captureReport })
    .action((options: TargetOptions) => show(options, context, ''));
  addTargetOptions(
    capture
      .command('status', { isDefault: true })
      .summary('show the capture and its end')
      .description('Shows whether requests are captured, and until when. Changes nothing.'),
  )
    .explain({ examples: ['contract capture status'], output: captureReport })
    .action((options: TargetOptions) => show(options, context));
}

/** Shows the capture. @param change its new end; empty to end it now; undefined to change nothing */
async function show(options: TargetOptions, context: Context, change?: string): Promise<void> {
  const capture = await context.connect(targetOf(options)).captureSwitch();
  if (change !== undefined) await capture.set(change || undefined);
  const until = await capture.until();
  const now = context.clock();
  const report = { captureUntil: until !== undefined && now < Date.parse(until) ? until : null };
  printResult(context, options, {
    json: () => report,
    text: (view) => renderCapture(report, now, view),
  });
}

/** Reads minutes or hours for commander. @returns milliseconds */
function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,4})([mh])$/.exec(text) ?? [];
  const ms = Number(count) * (unit === 'h' ? hourMs : minuteMs);
  if (ms >= minuteMs && ms <= 24 * hourMs) return ms;
  throw new InvalidArgumentError('Expected a duration from 1m to 24h, for example 30m or 2h.');
}
