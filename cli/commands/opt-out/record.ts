import * as z from 'zod';
import { formatDuration, omitUndefined } from '../../../functions/base/basics.ts';
import { aboutSource, type OptOutChange, type OptOutStatement } from '../../../functions/history/index.ts';
import { viewOptOut } from '../../../functions/query/index.ts';
import { optOutSchema } from '../../../functions/query/shapes.ts';
import type { Command } from '../../input/command.ts';
import {
  addRevealOption,
  addTargetOptions,
  notEmpty,
  type RevealOptions,
  targetOf,
} from '../../input/options.ts';
import { addNumberArgument, type NumberOptions, readNumber } from '../../input/phone-argument.ts';
import { describeState } from '../../output/opt-out-format.ts';
import { printResult, showReadPhone } from '../../output/print.ts';
import type { Connection } from '../../target/connection.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, UsageError } from '../../target/errors.ts';
import { formatTime } from '../../text/format.ts';
import { renderFields } from '../../text/table.ts';

interface RecordOptions extends NumberOptions, RevealOptions {
  readonly reason: string;
}

/** Longer texts do not belong into the register. */
const maxReasonLength = 500;

/** A smaller difference is that of an answer on its way, and of AWS's time to the second. */
const maxClockDifferenceMs = 60_000;

const details =
  "The entry counts like a reply of this moment: after older replies, and until a newer one says otherwise. If the time of a reply is ahead of the clock, the entry does not count before that time, and the command exits with 1. The events, the query API and the automations treat it as an opt-out by reply. --reason is kept in the register with the number, until the person is erased; events do not have it. The register also keeps who recorded it: the end of the ARN that AWS gives your keys, such as assumed-role/Support/ann. The time of the entry is that of AWS. Runs on this machine have neither. The number keeps the spelling that the service's reports have. It needs dynamodb:BatchGetItem, Query, UpdateItem and PutItem on the history table.";

/** Adds `opt-out add <number>`, which records that a person wants no more messages. */
export function addOptOutAdd(optOut: Command, context: Context): void {
  const command = optOut
    .command('add')
    .summary('record that a person wants no more messages')
    .description('Records that a person wants no more messages, for example after a phone call.');
  addRecordOptions(command)
    .explain({
      examples: ['opt-out add +1 202 555 0143 --reason "called support, ticket 42"'],
      details,
      output,
    })
    .action((words: readonly string[], options: RecordOptions) => record('out', words, options, context));
}

/** Adds `opt-out remove <number>`, which records that a person wants messages again. */
export function addOptOutRemove(optOut: Command, context: Context): void {
  const command = optOut
    .command('remove')
    .summary('record that a person wants messages again')
    .description('Records that a person wants messages again. Only the person can decide that.');
  addRecordOptions(command)
    .explain({
      examples: ['opt-out remove +1 202 555 0143 --reason "asked by mail, ticket 43"'],
      details,
      output,
    })
    .action((words: readonly string[], options: RecordOptions) => record('in', words, options, context));
}

function addRecordOptions(command: Command): Command {
  const numbered = addNumberArgument(command).requiredOption(
    '--reason <text>',
    'why this is recorded',
    notEmpty,
  );
  return addRevealOption(addTargetOptions(numbered));
}

async function record(
  state: OptOutChange['state'],
  words: readonly string[],
  options: RecordOptions,
  context: Context,
): Promise<void> {
  const reason = options.reason.trim();
  if (reason.length > maxReasonLength)
    throw new UsageError(
      `--reason has ${reason.length} characters, and at most ${maxReasonLength} are kept.`,
    );
  const typed = await readNumber(words, options, context);
  const target = targetOf(options);
  const connection = context.connect(target);
  const register = await connection.optOuts();
  if (target.source !== undefined && !register.bySource)
    throw new UsageError(
      'An opt-out counts for all sources of this pipeline: leave --source out. optOutsBySource makes it count for one (docs/guides/several-sources.md).',
    );
  const before = await register.number(typed);
  const phone = before?.phone ?? (await spellingOf(typed, connection));
  const { clock, newId } = context;
  const { person: recordedBy, now: timeOfAws } = await connection.caller();
  if (recordedBy === undefined && !target.local)
    context.terminal.err(
      `AWS (sts:GetCallerIdentity) did not name you, so the entry has no name${timeOfAws === undefined ? ', and the time of this machine' : ''}.\n`,
    );
  // A STOP that the person sends before the time of the entry would not count, so the clock of this machine must not be ahead.
  const now = timeOfAws ?? clock();
  const difference = Math.abs(clock() - now);
  if (difference > maxClockDifferenceMs)
    context.terminal.err(
      `The clock of this machine is wrong by ${formatDuration(difference)}, so the entry has the time of AWS. Correct the clock.\n`,
    );
  const entry = { phone, state, reason, id: newId(), now, ...omitUndefined({ recordedBy }) };
  await register.recordByHand({ ...entry, ...omitUndefined({ source: target.source }) }, before);
  const after = await register.number(phone);
  printResult(context, options, {
    json: () => ({ before: view(before), after: view(after) }),
    text: (shown) =>
      renderFields(
        [
          ['Number', showReadPhone(phone, shown)],
          ['Before', describeState(before, shown)],
          ['Now', describeState(after, shown)],
        ],
        shown,
      ),
  });
  const statements = after?.statements ?? [];
  const position = statements.findIndex(({ entryId }) => entryId === entry.id);
  if (position === -1)
    throw new CommandFailure(
      'The entry is not in the register: another writer removed it. Repeat the command.',
    );
  const overruling = statements
    .slice(0, position)
    .find((one) => one.state !== state && (target.source === undefined || isAbout(target.source, one)));
  if (overruling !== undefined)
    throw new CommandFailure(
      `The entry is recorded, but it does not count: the register has the opposite with the time ${formatTime(overruling.at, context.terminal.zone)}, which is ahead of the clock. Repeat the command after that time.`,
    );
}

function isAbout(source: string, statement: OptOutStatement): boolean {
  return [undefined, source].includes(aboutSource(statement));
}

/** Returns the number as the service writes it, because contacts at the service have that spelling; the typed one where no report has it. */
async function spellingOf(phone: string, connection: Connection): Promise<string> {
  const history = await connection.history();
  const [entry] = (await history.phone({ phone }, { limit: 1 })).entries;
  const spelling = entry?.kind === 'reply' ? entry.reply.current.from : entry?.message.phone;
  return spelling ?? phone;
}

const recorded = optOutSchema.extend({ state: z.enum(['out', 'in']) }).nullable();
const output = z.object({ before: recorded, after: recorded });

function view(change: OptOutChange | undefined) {
  return change === undefined ? null : { state: change.state, ...viewOptOut(change) };
}
