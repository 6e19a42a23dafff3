import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Option } from 'commander';
import * as z from 'zod';
import type { ExplainedEvent, ExplainedField } from '../../../contract/checks/explain.ts';
import { pathOfContract, shippedContracts } from '../../../contract/document/contract-file-store.ts';
import { inheritedSamplesHint } from '../../../contract/document/parse.ts';
import { describeUnread, unreadAdvice } from '../../../contract/drift/unread-advice.ts';
import { maskNumbers, maskPhone } from '../../../contract/phone/mask.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { outcomeOf, type SmsEvent, unmappedRank } from '../../../contract/schema/sms-event.ts';
import { formatCount } from '../../../functions/base/basics.ts';
import { readCaptureFile } from '../../input/capture-file.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { hasEvents, originOfSamples, readContractToTest } from '../../input/contract-file.ts';
import {
  addContractOption,
  addTargetOptions,
  type ContractOptions,
  notEmpty,
  type RevealOptions,
  type TargetOptions,
} from '../../input/options.ts';
import { addSecretOptions, readSecrets, type SecretOptions } from '../../input/secret-options.ts';
import { printResult, showPhone, showText, type View } from '../../output/print.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, UsageError } from '../../target/errors.ts';
import { sanitize } from '../../text/sanitize.ts';
import { type Cell, renderTable } from '../../text/table.ts';
import {
  describeSignature,
  isRejected,
  type TestedRequest,
  testCaptures,
  testSamples,
} from './check-requests.ts';

/** Renders the requests of one contract: one line and notes for a passing sample, all details for other requests. */
function renderTested(tested: readonly TestedRequest[], contract: Contract, view: View): string {
  const isPassingSample = ({ isSample, problems }: TestedRequest) => isSample && problems.length === 0;
  const requests = tested.flatMap((request) => [
    head(request, contract, view),
    ...(isPassingSample(request)
      ? request.events.flatMap(describeUnreadOf).map((note) => `${view.style('yellow', 'note  ')}  ${note}`)
      : details(request, contract, view)),
  ]);
  const advice = tested.filter(isPassingSample).flatMap(({ events }) => events.flatMap(adviceOn));
  return [...requests, ...new Set(advice.map((line) => `→ ${line}`))].join('\n');
}

/** Returns a line for each value of an event that is kept as received. */
function describeUnreadOf({ event, unread = [] }: ExplainedEvent): string[] {
  const section = event?.kind === 'sms.reply' ? 'events.reply' : 'events.status';
  return unread.map(({ field, problem: found, example }) =>
    describeUnread({ field: `${section}.${field}`, found, ...(example && { example }), events: 1 }),
  );
}

/** Returns what to set in the contract so that the values of an event can be read. */
function adviceOn({ unread = [] }: ExplainedEvent): string[] {
  return unread.flatMap(({ problem: found }) => unreadAdvice({ found }) ?? []);
}

function head(
  { name, signature, signed, events, problems }: TestedRequest,
  contract: Contract,
  { style }: View,
): string {
  const verdict = problems.length === 0 ? style('green', 'ok    ') : style('red', 'FAILED');
  const parts = [
    signature === undefined || isRejected(signature)
      ? ''
      : `signature ${describeSignature(signature, contract)}${signed === undefined ? '' : ` (${signed})`}`,
    events.length === 0 ? '' : formatCount(events.length, 'event'),
  ];
  return `${verdict}  ${[sanitize(name), ...parts.filter((part) => part !== '')].join(', ')}`;
}

function details({ isSample, events, problems }: TestedRequest, contract: Contract, view: View): string[] {
  const blocks = [
    ...problems.map((problem) => view.style('red', showText(problem, view))),
    ...events.flatMap((event, index) => renderEvent(event, index, isSample, contract, view).split('\n')),
  ];
  return blocks.map((line) => (line === '' ? '' : `        ${line}`));
}

function renderEvent(
  explained: ExplainedEvent,
  index: number,
  isSample: boolean,
  contract: Contract,
  view: View,
): string {
  const { event, reason, fields } = explained;
  const id =
    event === undefined || contract.events.id.from === 'body' ? '' : `, id ${sanitize(event.eventId)}`;
  const title = event === undefined ? `not readable (${reason})` : `${event.kind}${id}`;
  const rows = fields.map((field): Cell[] => [
    { text: field.field },
    valueCell(field, explained, isSample, view),
    { text: sanitize(field.expression), format: 'dim' },
  ]);
  const columns = [{ title: 'FIELD' }, { title: 'VALUE' }, { title: 'EXPRESSION' }];
  const table =
    rows.length === 0 ? [] : renderTable(columns, rows, { ...view, columns: undefined }).split('\n');
  const hints = fields.flatMap(({ field, expression, near = [] }) =>
    near.length === 0
      ? []
      : [
          `${field}: ${sanitize(expression)} gives nothing; there are ${maskNumbers(near.map(sanitize).join(', '))}`,
        ],
  );
  const kept = [...describeUnreadOf(explained), ...new Set(adviceOn(explained).map((line) => `→ ${line}`))];
  const lines = [...table, ...[...hints, ...kept].map((line) => view.style('yellow', line))];
  return ['', `event ${index + 1}: ${title}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

function valueCell(field: ExplainedField, explained: ExplainedEvent, isSample: boolean, view: View): Cell {
  const { event, field: wrong } = explained;
  if (field.value === undefined) return { text: 'nothing', format: wrong === field.field ? 'red' : 'dim' };
  const show = isSample ? showInvented : showCaptured;
  const value = view.reveal ? sanitize(textOf(field.value)) : show(field, explained);
  const becomes = event && meaningOf(field.field, event, view);
  if (event?.kind === 'sms.status' && field.field === 'status' && event.rank === unmappedRank)
    return { text: `${value}: not in "statuses", so it never wins over a known one`, format: 'yellow' };
  return { text: becomes === undefined || becomes === value ? value : `${value} -> ${becomes}` };
}

/** Returns what the pipeline derives from a field's value, if it differs from the value. */
function meaningOf(field: string, event: SmsEvent, view: View): string | undefined {
  if (field === 'occurredAt')
    return event.timeIs === 'assumed' ? `${event.occurredAt} (its zone is assumed)` : event.occurredAt;
  if (event.kind === 'sms.reply') {
    const phone = field === 'from' || field === 'to' ? event[field] : undefined;
    return phone !== undefined && isPhone(phone) ? showPhone(phone, view) : undefined;
  }
  switch (field) {
    case 'status':
      return `${sanitize(event.status)} (${outcomeOf(event.rank)})`;
    case 'recipient':
      return event.phone !== undefined && isPhone(event.phone) ? showPhone(event.phone, view) : undefined;
    case 'errorCode':
      return event.errorReason;
    default:
      return undefined;
  }
}

const phoneFields: ReadonlySet<string> = new Set(['recipient', 'from', 'to']);

/** Fields that may consist of digits without being a phone number. */
const idFields: ReadonlySet<string> = new Set(['eventId', 'messageId', 'sendId', 'replyId', 'occurredAt']);

/** Longer than any identifier, word or time. */
const maxCharacters = 64;

/** Formats a value of a sample, which its author wrote for readers. */
function showInvented({ field, value }: ExplainedField): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  const text = textOf(value);
  if (field === 'text') return countOf(text);
  if (field === 'errorText') return maskNumbers(sanitize(text));
  return phoneFields.has(field) || /^\+\d{7,}$/.test(text) ? maskPhone(sanitize(text)) : sanitize(text);
}

/** Formats a value of a captured event. A wrong expression may find any text or number there. */
function showCaptured({ field, value }: ExplainedField, { event }: ExplainedEvent): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  const text = textOf(value);
  if (field === 'text') return countOf(text);
  const isNumber = idFields.has(field)
    ? isPhone(text) && !/^[\d.-]+$/.test(text)
    : isPhone(text) || (phoneFields.has(field) && /^[+\d]+$/.test(text));
  if (isNumber) return maskPhone(sanitize(text));
  const isTime = field === 'occurredAt' && event !== undefined;
  if (!isTime && (/\s/.test(text) || text.length > maxCharacters)) return countOf(text);
  return idFields.has(field) ? sanitize(text) : maskNumbers(sanitize(text));
}

function isPhone(text: string): boolean {
  return /^\+?[\d\s().\p{Pd}/]+$/u.test(text) && text.replace(/\D/g, '').length >= 7;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function countOf(text: string): string {
  return `a text of ${formatCount(text.length, 'character')}`;
}

const explainedEvent = z.object({
  event: z.record(z.string(), z.unknown()).exactOptional().describe('The event as the pipeline reads it.'),
  reason: z.string().exactOptional().describe('Why it cannot be read.'),
  field: z.string().exactOptional().describe('The field that the reason is about.'),
  fields: z.array(
    z.object({
      field: z.string(),
      expression: z.string(),
      value: z.unknown().optional().describe('Absent where the expression finds nothing.'),
      near: z.array(z.string()).exactOptional().describe('Similar paths of the event.'),
    }),
  ),
  unread: z
    .array(z.object({ field: z.string(), problem: z.string(), example: z.string().exactOptional() }))
    .exactOptional()
    .describe('The values that are kept as received, because they cannot be read exactly.'),
});

const testedRequest = z.object({
  name: z.string(),
  isSample: z.boolean(),
  signature: z
    .object({
      result: z.string(),
      signedId: z.string().exactOptional(),
      headers: z.array(z.string()).exactOptional().describe('Headers that the request lacks.'),
      sentAt: z.string().exactOptional(),
    })
    .exactOptional(),
  signed: z.enum(['documented', 'by us']).exactOptional(),
  events: z.array(explainedEvent),
  problems: z.array(z.string()).describe('Why the request fails; empty if it passes.'),
});

/** The diagnosis is called `result` in --json. */
function requestJson({ signature, ...request }: TestedRequest): unknown {
  if (signature === undefined) return request;
  const { kind: result, ...details } = signature;
  return { ...request, signature: { result, ...details } };
}

interface ContractTestOptions extends TargetOptions, ContractOptions, RevealOptions, SecretOptions {
  readonly file?: readonly string[];
  readonly all?: true;
}

const examples: CommandTexts = {
  output: z.object({
    contracts: z.array(z.object({ contract: z.string(), requests: z.array(testedRequest) })),
  }),
  examples: [
    'contract test',
    'contract test --file capture.http --secret-file secret.txt',
    'contract test --contract twilio.json --file capture.json --secret-from-service',
    'contract test --all',
  ],
  details:
    'Runs the samples of the contract and captured requests through the verification and the mapping of the pipeline. It sends and changes nothing. A capture is a raw HTTP request (capture.http; separate several by lines ###), or JSON: {"method", "url", "headers", "body" as text or "bodyBase64", "receivedAt"}. A signature covers the exact bytes: keep the body as received. The replay window is checked around receivedAt (in capture.http: # @receivedAt 2026-01-15T12:00:05Z), if there is one. It may also be a HAR file, a transcript of curl -v with its command line, or JSON from the API of the ngrok agent or of webhook.site. --reveal and --json show numbers and texts.',
};

/** Adds `contract test`, which tests a contract on its samples and on captured requests. */
export function addContractTest(contract: Command, context: Context): void {
  const command = contract
    .command('test')
    .summary('test a contract on its samples and on captured requests')
    .description('Shows, step by step, how a contract reads its samples and captured requests.')
    .option('--file <capture...>', 'files with captured requests; "-" is stdin')
    .addOption(
      new Option('--all', "the project's contract and every preset").conflicts([
        'file',
        'secret',
        'secretFile',
        'secretFromService',
      ]),
    )
    .option('--reveal', 'show phone numbers and texts');
  addSecretOptions(addContractOption(addTargetOptions(command)))
    .explain(examples)
    .action((options: ContractTestOptions) => {
      const isContractNamed = command.getOptionValueSource('contract') === 'cli';
      return test(options, isContractNamed, context);
    });
}

const signatureAlone =
  'note    This contract describes a signature alone. To deploy it, add "events" and "statuses": see docs/providers/without-a-preset.md.';

/** Returns a path relative to the current folder if it is below it. */
function shortest(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}

/** Lists the project's contract, which an app may have in its code instead, and those that ship. */
function allContracts({ contract }: ContractTestOptions, isContractNamed: boolean): readonly string[] {
  const own = isContractNamed || existsSync(contract) ? [resolve(pathOfContract(contract))] : [];
  return [...new Set([...own, ...shippedContracts()])];
}

async function test(options: ContractTestOptions, isContractNamed: boolean, context: Context): Promise<void> {
  const now = context.clock();
  const files = (options.file ?? []).map(notEmpty);
  if ([...files, options.secretFile].filter((path) => path === '-').length > 1)
    throw new UsageError('"-" may be used once, because stdin is read to its end.');
  const captures = (await Promise.all(files.map(readCaptureFile))).flat();
  const secrets = await readSecrets(options, context);
  const paths = options.all === true ? allContracts(options, isContractNamed) : [options.contract];
  const contracts = await Promise.all(
    paths.map(async (path) => {
      const contract = await readContractToTest(path);
      const tested = [...testSamples(contract), ...testCaptures(contract, captures, secrets, now)];
      const hasFailingSample = tested.some(({ isSample, problems }) => isSample && problems.length > 0);
      const origin = hasFailingSample ? originOfSamples(path) : undefined;
      return { path: shortest(path), contract, tested, origin, isWhole: hasEvents(path) };
    }),
  );
  printResult(context, options, {
    json: () => ({
      contracts: contracts.map(({ path, tested }) => ({ contract: path, requests: tested.map(requestJson) })),
    }),
    text: (view) =>
      contracts
        .map(({ path, contract, tested, origin, isWhole }) =>
          [
            view.style('bold', sanitize(path)),
            tested.length === 0
              ? 'No samples, and no --file: nothing to test.'
              : renderTested(tested, contract, view),
            ...(isWhole ? [] : [signatureAlone]),
            ...(origin === undefined ? [] : [sanitize(inheritedSamplesHint(origin))]),
          ].join('\n'),
        )
        .join('\n\n'),
  });
  const all = contracts.flatMap(({ tested }) => tested);
  const failed = all.filter(({ problems }) => problems.length > 0).length;
  if (failed > 0) throw new CommandFailure(`${failed} of ${all.length} requests failed.`);
}
