import { InvalidArgumentError, Option } from 'commander';
import { formatDuration } from '../../../functions/runtime/basics.ts';
import type { CaptureReport } from '../../../functions/webhook/secret-document.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addTargetOptions, type TargetOptions, targetOf } from '../../input/options.ts';
import { printResult, type View } from '../../output/print.ts';
import type { Context } from '../../target/context.ts';
import { captureReport, readCaptureReport, type SetupPayload } from '../../target/stack/setup-function.ts';
import { formatTime } from '../../text/format.ts';
import { renderFields } from '../../text/table.ts';

/** Renders whether requests are captured, and how many were. @param now milliseconds since the epoch */
function renderCapture({ capture, setting }: CaptureReport, now: number, view: View): string {
  const { style, zone } = view;
  const untilSetting = setting === null ? 'not set' : `until ${formatTime(setting, zone)}`;
  if (capture === null)
    return renderFields(
      [
        ['Capture', 'off: unverifiable requests are refused'],
        ['Setting', untilSetting],
      ],
      view,
    );
  const { until, decidedBy, captured, leftOut } = capture;
  const left = formatDuration(Date.parse(until) - now);
  const by = decidedBy === 'setting' ? 'the setting captureUntil' : 'contract capture on';
  return renderFields(
    [
      ['Capture', style('yellow', `on, by ${by}: unverifiable requests are kept in quarantine`)],
      ['Until', `${formatTime(until, zone)}, for another ${left}`],
      ['Captured', `at least ${captured}; quarantine list --reason captured shows all`],
      ['Left out', `at least ${leftOut}: refused, because too large or above the limit of an instance`],
      ['Setting', untilSetting],
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
  details: `During a capture the webhook acknowledges requests that it would reject with 401, so that the SMS service does not retry them. It keeps them whole in quarantine, with credentials in headers masked. They become history only after a replay that verifies their signatures. Running instances notice a capture within seconds. It ends at its time, whatever the number of requests. An instance keeps 200 requests at once, then 500 an hour, and reserves room for senders with few requests.`,
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
    .action((options: OnOptions) => ask({ action: 'capture', forMs: options.for }, options, context));
  addTargetOptions(
    capture
      .command('off')
      .summary('end the capture')
      .description('Rejects unverifiable requests again. Captured requests stay in quarantine.'),
  )
    .explain({ examples: ['contract capture off'], output: captureReport })
    .action((options: TargetOptions) => ask({ action: 'capture', forMs: 0 }, options, context));
  addTargetOptions(
    capture
      .command('status', { isDefault: true })
      .summary('show the capture, its end and its counts')
      .description('Shows whether requests are captured, until when, and how many were. Changes nothing.'),
  )
    .explain({ examples: ['contract capture status'], output: captureReport })
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
