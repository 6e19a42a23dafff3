import { Option } from 'commander';
import * as z from 'zod';
import { toE164 } from '../../../contract/phone/phone-number.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { canonicalStatuses, type SmsEvent, unmappedRank } from '../../../contract/schema/sms-event.ts';
import { isSharedSecret } from '../../../contract/signature/keys.ts';
import { omitUndefined } from '../../../functions/base/basics.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { readDeployedContract } from '../../input/contract-file.ts';
import {
  addDeployedContractOptions,
  addRevealOption,
  addTargetOptions,
  type DeployedContractOptions,
  notEmpty,
  type RevealOptions,
  type TargetOptions,
  targetOf,
} from '../../input/options.ts';
import { readTime } from '../../input/time-argument.ts';
import { printResult, showPhone, type View } from '../../output/print.ts';
import type { Target } from '../../target/connection.ts';
import type { Context } from '../../target/context.ts';
import { UsageError } from '../../target/errors.ts';
import { suggest } from '../../target/suggest.ts';
import { formatTime } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import { renderFields } from '../../text/table.ts';
import { AddressRefusedError, postSample } from './post-sample.ts';
import { makeSample, type SampleOptions, samplePhone } from './sample-event.ts';

/** An event that the webhook accepted. */
interface Sent {
  /** The event as the pipeline reads it. */
  readonly event: SmsEvent;
  readonly url: string;
  /** The HTTP status of the answer. */
  readonly status: number;
  readonly target: Target;
}

function viewSent({ event, url, status }: Sent): unknown {
  const { kind, eventId, occurredAt } = event;
  const about =
    kind === 'sms.status'
      ? { messageId: event.messageId, phone: event.phone ?? null, status: event.status }
      : { replyId: event.replyId, messageId: event.messageId ?? null, from: event.from, text: event.text };
  return { kind, eventId, ...about, occurredAt, url, httpStatus: status };
}

function renderSent({ event, url, status, target }: Sent, view: View): string {
  const fields = renderFields(
    [
      ['Accepted', `${view.style('green', `HTTP ${status}`)} from ${sanitize(url)}`],
      ['Event', `${event.kind} ${sanitize(event.eventId)}`],
      ...aboutOf(event, view),
      ['Time', formatTime(event.occurredAt, view.zone)],
    ],
    view,
  );
  return `${fields}\n\nLook it up: ${lookup(event, target, view)}`;
}

function aboutOf(event: SmsEvent, view: View): (readonly [string, string])[] {
  if (event.kind === 'sms.status')
    return [
      ['Message', sanitize(event.messageId)],
      ['Status', sanitize(event.status)],
      ...(event.phone === undefined ? [] : [['Number', showPhone(event.phone, view)] as const]),
    ];
  return [
    ['Reply', sanitize(event.replyId)],
    ['From', showPhone(event.from, view)],
    ['Text', sanitize(event.text)],
  ];
}

function lookup(event: SmsEvent, target: Target, { reveal }: View): string {
  if (event.kind === 'sms.status') return suggest(target, 'message get', event.messageId);
  return reveal
    ? suggest(target, 'number show', event.from)
    : suggest(target, 'number show <the number it is from>');
}

/** Warns of values that no service sends. They are sent, because the pipeline has to bear them. */
function warnOfOddValues(
  event: SmsEvent,
  { events, statuses }: Contract,
  options: SampleOptions,
  { terminal }: Context,
): void {
  if (event.kind === 'sms.status' && event.rank === unmappedRank)
    terminal.err(
      `warning: The contract does not list the status "${sanitize(event.status)}", so the message is not final by it. It lists ${Object.keys(statuses).map(sanitize).join(', ')}.\n`,
    );
  for (const name of ['to', 'from'] as const) {
    const value = options[name];
    if (value !== undefined && toE164(value, events.defaultCountry) === undefined)
      terminal.err(`warning: --${name} is not a phone number, and is sent as it is.\n`);
  }
}

type SendOptions = TargetOptions & DeployedContractOptions & RevealOptions & SampleOptions;

const sentEvent = z.object({
  eventId: z.string(),
  occurredAt: z.string(),
  url: z.string(),
  httpStatus: z.int(),
});

const examples: CommandTexts = {
  output: z.discriminatedUnion('kind', [
    sentEvent.extend({
      kind: z.literal('sms.status'),
      messageId: z.string(),
      phone: z.string().nullable(),
      status: z.string(),
    }),
    sentEvent.extend({
      kind: z.literal('sms.reply'),
      replyId: z.string(),
      messageId: z.string().nullable(),
      from: z.string(),
      text: z.string(),
    }),
    z.object({
      kind: z.literal('address-refused').describe('`sms:allowedSourceIps` does not have this machine.'),
      url: z.string(),
    }),
  ]),
  examples: [
    'webhook test',
    'webhook test --message-id msg-7 --status undelivered --to "+1 202 555 0143"',
    'webhook test --kind reply --text "Yes, please" --message-id msg-7',
  ],
  details: `The canonical statuses are ${canonicalStatuses.join(', ')}; any other word is sent unchanged. A time without a zone is UTC.`,
};

/** Adds `webhook test`, which posts a sample event to the webhook, signed like one of the SMS service. */
export function addWebhookTest(webhook: Command, context: Context): void {
  const command = webhook
    .command('test')
    .summary('send a signed sample event to the webhook')
    .description(
      'Makes an event by the contract, signs it like the SMS service, and posts it to the webhook.',
    )
    .addOption(
      new Option('--kind <kind>', 'a delivery report or a reply')
        .choices(['status', 'reply'])
        .default('status'),
    )
    .option('--message-id <id>', 'the message (default: a new id; for a reply: none)', notEmpty)
    .option('--status <word>', 'the status of the message (default: "delivered")', notEmpty)
    .option(
      '--to <number>',
      `the recipient of the message (default: "${samplePhone}") or of the reply`,
      notEmpty,
    )
    .option('--from <number>', `the sender of a reply (default: "${samplePhone}")`, notEmpty)
    .option('--text <text>', 'the text of a reply (default: "Thanks")')
    .option('--send-id <id>', 'the send that the message belongs to', notEmpty)
    .option('--reply-id <id>', "the reply's id", notEmpty)
    .option('--at <time>', 'when it happened: ISO 8601, or 15m, 2h ago (default: now)', notEmpty)
    .option('--event-id <id>', "the event's id; an id that was sent before makes a repeat", notEmpty);
  addRevealOption(addTargetOptions(addDeployedContractOptions(command)))
    .explain(examples)
    .action(async (options: SendOptions) => {
      const target = targetOf(options);
      const connection = context.connect(target);
      const contract = await readDeployedContract(options, connection, context.terminal);
      if (!isSharedSecret(contract.webhook.signature))
        throw new UsageError(
          'Only the service can sign by this contract, because the pipeline stores only its public key. The local sandbox sends events: POST /sandbox/events.',
        );
      const now = context.clock();
      const at =
        options.at && (await readTime(options.at, { option: '--at', now, zone: context.terminal.zone }));
      const sample = makeSample(contract, { ...options, ...omitUndefined({ at }) }, now, context.newId);
      warnOfOddValues(sample.event, contract, options, context);
      try {
        const answer = await postSample(sample, contract, connection, context, target);
        const sent = { event: sample.event, ...answer, target };
        printResult(context, options, { json: () => viewSent(sent), text: (view) => renderSent(sent, view) });
      } catch (error) {
        if (!(error instanceof AddressRefusedError)) throw error;
        printResult(context, options, {
          json: () => ({ kind: 'address-refused', url: error.url }),
          text: () => sanitize(error.message),
        });
      }
    });
}
