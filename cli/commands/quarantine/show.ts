import { Option } from 'commander';
import { parseBody } from '../../../contract/events/body.ts';
import { formatCount } from '../../../functions/base/basics.ts';
import { viewQuarantineEntry } from '../../../functions/query/index.ts';
import { quarantineEntrySchema } from '../../../functions/query/shapes.ts';
import { hasWholeBody, reasonMeanings } from '../../../functions/receive/index.ts';
import { type QuarantinedEntry, wasCaptured } from '../../../functions/receive/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import {
  addTargetOptions,
  notEmpty,
  type RevealOptions,
  type TargetOptions,
  targetOf,
} from '../../input/options.ts';
import { printResult, showText, type View } from '../../output/print.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, UsageError } from '../../target/errors.ts';
import { suggest } from '../../target/suggest.ts';
import { formatTime } from '../../text/format.ts';
import { sanitize, sanitizeLines, toJson } from '../../text/sanitize.ts';
import { renderFields } from '../../text/table.ts';

/** Returns what to do with an entry so that `quarantine replay` stores it; undefined if a replay changes nothing. */
function nextStep(reason: QuarantinedEntry['reason'], replay: string): string | undefined {
  switch (reason) {
    case 'captured':
      return `find the contract with sms contract discover, deploy it, then ${replay}`;
    case 'signature-mismatch':
      return `correct the secret or webhook.signature of the contract, then ${replay}`;
    case 'empty-body':
    case 'not-an-envelope':
    case 'message-full':
    case 'storage-refused':
      return undefined;
    default:
      return `fix the contract and deploy it, then ${replay}`;
  }
}

/** Renders one entry; the received request only with --reveal. @param replay the command that reads entries again */
function renderQuarantined(entry: QuarantinedEntry, replay: string, view: View): string {
  const { id, reason, field, receivedAt, raw, index, contract, method, url } = entry;
  const kept = hasWholeBody(entry) ? 'the whole body' : `event ${(index ?? 0) + 1} of its body`;
  const next = nextStep(reason, replay);
  const fields = renderFields(
    [
      ['Entry', view.style('bold', sanitize(id))],
      // An entry may come from a version that knows more reasons.
      [
        'Reason',
        `${view.style('yellow', sanitize(reason))}: ${reasonMeanings[reason] ?? 'not known to this version'}`,
      ],
      ...(field === undefined ? [] : [['Field', sanitize(field)] as const]),
      ['Received', formatTime(receivedAt, view.zone)],
      ['Kept', `${kept}, ${formatCount(raw.length, 'byte')}`],
      ...(contract === undefined ? [] : [['Contract', sanitize(contract)] as const]),
      // The query is left out, because it may contain anything, and the path may have a number.
      ...(method === undefined || url === undefined
        ? []
        : [['Request', showText(`${method} ${url.split('?', 1)[0]}`, view)] as const]),
      ...(next === undefined ? [] : [['Next', next] as const]),
    ],
    view,
  );
  const head = wasCaptured(entry) ? `${headersOf(entry)}\n\n` : '';
  return `${fields}\n\n${view.reveal ? head + showBody(raw) : view.style('dim', '--reveal shows the received request, which may hold phone numbers and texts.')}`;
}

function headersOf({ headers = {} }: QuarantinedEntry): string {
  return Object.entries(headers)
    .map(([name, value]) => sanitize(`${name}: ${value}`))
    .join('\n');
}

function showBody(raw: Uint8Array): string {
  const parsed = parseBody({ bodyFormat: 'json' }, raw);
  if (parsed.kind === 'parsed') return toJson(parsed.value);
  if (parsed.reason === 'empty-body') return 'Nothing was received.';
  if (parsed.reason === 'not-utf8')
    return 'The received bytes are not text: --raw writes them to a file or a pipe.';
  return sanitizeLines(new TextDecoder().decode(raw));
}

interface QuarantineShowOptions extends TargetOptions, RevealOptions {
  readonly raw?: true;
}

const examples: CommandTexts = {
  output: quarantineEntrySchema,
  examples: [
    'quarantine show "2026-01-15T12:00:05.000Z#<request id>#0"',
    'quarantine show "<id>" --reveal',
    'quarantine show "<id>" --raw > event.json',
  ],
  details: 'The received request may hold phone numbers and texts. --reveal, --json and --raw show it.',
};

/** Adds `quarantine show <id>`, which shows one entry and the received request. */
export function addQuarantineShow(quarantine: Command, context: Context): void {
  const command = quarantine
    .command('show')
    .summary('show one entry with the received request')
    .description('Shows why the pipeline could not store an entry as history, and the received request.')
    .argument('<id>', 'the id of the entry, as quarantine list shows it', notEmpty)
    .option('--reveal', 'show the received request')
    .addOption(
      new Option('--raw', 'write the received bytes to stdout, and nothing else').conflicts([
        'json',
        'reveal',
      ]),
    );
  addTargetOptions(command)
    .explain(examples)
    .action(async (id: string, options: QuarantineShowOptions) => {
      const { terminal } = context;
      if (options.raw === true && terminal.columns !== undefined)
        throw new UsageError(
          '--raw writes bytes as received, which may control a terminal: pipe them into a file or a command, or use --reveal.',
        );
      const quarantine = await context.connect(targetOf(options)).quarantine();
      const entry = await quarantine.entry(id);
      if (entry === undefined)
        throw new CommandFailure(
          `No entry "${sanitize(id)}" in quarantine. quarantine list shows the ids; an entry is deleted when its retention ends.`,
        );
      if (options.raw === true) terminal.bytes(entry.raw);
      else
        printResult(context, options, {
          json: () => viewQuarantineEntry(entry),
          text: (view) => renderQuarantined(entry, suggest(targetOf(options), 'quarantine replay'), view),
        });
    });
}
