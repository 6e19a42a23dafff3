import { type Command, InvalidArgumentError, Option } from 'commander';
import { formatDuration } from '../../../functions/runtime/clock.ts';
import type { CaptureReport } from '../../../functions/webhook/secret-document.ts';
import { addTargetOptions, type TargetOptions, targetOf } from '../../input/options.ts';
import { printResult, type View } from '../../output/print.ts';
import type { Context } from '../../target/context.ts';
import { readCaptureReport, type SetupPayload } from '../../target/setup-function.ts';
import { formatTime } from '../../text/format.ts';
import { renderFields } from '../../text/table.ts';

/**
 * Renders for people whether requests are captured, and how many were.
 *
 * @param now milliseconds since the epoch
 */
function renderCapture({ capture, setting }: CaptureReport, now: number, view: View): string {
  const { style, zone } = view;
  const said = setting === null ? 'not set' : `until ${formatTime(setting, zone)}`;
  if (capture === null)
    return renderFields(
      [
        ['Capture', 'off: what cannot be verified is refused'],
        ['Setting', said],
      ],
      view,
    );
  const { until, decidedBy, captured, leftOut } = capture;
  const left = formatDuration(Date.parse(until) - now);
  const by = decidedBy === 'setting' ? 'the setting captureUntil' : 'contract capture on';
  return renderFields(
    [
      ['Capture', style('yellow', `on, by ${by}: what cannot be verified is kept in quarantine`)],
      ['Until', `${formatTime(until, zone)}, for another ${left}`],
      ['Captured', `at least ${captured}; quarantine list --reason captured shows all`],
      ['Left out', `at least ${leftOut}: too large, or more than an instance keeps; they were refused`],
      ['Setting', said],
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

const exitCodes = '\n\nExit codes: 0 done, 1 failed, 2 wrong usage.';

const onNotes = `
Examples:
  npm run -s sms -- contract capture on --for 2h
  npm run -s sms -- contract capture on --local
  npm run -s sms -- quarantine list --reason captured

What would be refused with 401 is answered like any other request instead, and kept in quarantine: whole, but for headers that carry
credentials, which are masked. So the SMS service does not send it again. Nothing of it becomes history before it is replayed and its signature
verified. Instances that are running notice it within seconds. It ends by itself at its time, however many requests
came. An instance keeps 200 at once, then 500 an hour, and leaves room for senders that sent little.${exitCodes}`;

/** `contract capture on|off|status`: keep for a while what the webhook would refuse. */
export function addContractCapture(contract: Command, context: Context): void {
  const capture = contract
    .command('capture')
    .summary('keep for a while what the webhook would refuse')
    .description(
      'Keeps for a while the requests that the webhook would refuse, whole, to find out from them what the contract has to say. Without a command it says how that stands.',
    );
  addTargetOptions(
    capture
      .command('on')
      .summary('begin, or go on until another time')
      .description('Keeps requests that the webhook would refuse, from now on.')
      .addOption(
        new Option('--for <duration>', 'for how long: from 1m to 24h')
          .default(hourMs, '1h')
          .argParser(readDuration),
      ),
  )
    .addHelpText('after', onNotes)
    .action((options: OnOptions) => ask({ action: 'capture', forMs: options.for }, options, context));
  addTargetOptions(
    capture
      .command('off')
      .summary('end it')
      .description('Refuses again what cannot be verified. What was kept stays in quarantine.'),
  )
    .addHelpText('after', exitCodes)
    .action((options: TargetOptions) => ask({ action: 'capture', forMs: 0 }, options, context));
  addTargetOptions(
    capture
      .command('status', { isDefault: true })
      .summary('whether requests are kept, until when, and how many were')
      .description('Says whether requests are kept, until when, and how many were. Changes nothing.'),
  )
    .addHelpText('after', exitCodes)
    .action((options: TargetOptions) => ask({ action: 'capture' }, options, context));
}

async function ask(payload: SetupPayload, options: TargetOptions, context: Context): Promise<void> {
  const report = readCaptureReport(await context.connect(targetOf(options)).invokeSetup(payload));
  printResult(context, options, {
    json: () => report,
    text: (view) => renderCapture(report, context.clock(), view),
  });
}

/** Reads minutes or hours for commander. @returns milliseconds */
function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,4})([mh])$/.exec(text) ?? [];
  const ms = Number(count) * (unit === 'h' ? hourMs : minuteMs);
  if (ms >= minuteMs && ms <= 24 * hourMs) return ms;
  throw new InvalidArgumentError('Expected a duration from 1m to 24h, for example 30m or 2h.');
}
