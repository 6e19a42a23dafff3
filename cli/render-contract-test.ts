import type { Contract } from '../functions/core/contract/contract.ts';
import type { ExplainedEvent, ExplainedField } from '../functions/core/contract/explain.ts';
import type { SmsEvent } from '../functions/core/events/event.ts';
import { outcomeOf, unmappedRank } from '../functions/core/statuses.ts';
import { describeSignature, isRefused } from './describe-signature.ts';
import type { View } from './print.ts';
import { showPhone } from './show.ts';
import type { TestedRequest } from './test-contract.ts';
import { maskNumbers, maskPhone } from './text/mask-phone.ts';
import { sanitize } from './text/sanitize.ts';
import { type Cell, renderTable } from './text/table.ts';

/** The requests of one contract for people: one line for samples that hold, all there is to know of the others. */
export function renderTested(tested: readonly TestedRequest[], contract: Contract, view: View): string {
  return tested
    .map((request) =>
      request.isSample && request.problems.length === 0
        ? head(request, contract, view)
        : [head(request, contract, view), ...details(request, contract, view)].join('\n'),
    )
    .join('\n');
}

function head(
  { name, signature, signed, events, problems }: TestedRequest,
  contract: Contract,
  { style }: View,
): string {
  const verdict = problems.length === 0 ? style('green', 'ok    ') : style('red', 'FAILED');
  const parts = [
    signature === undefined || isRefused(signature)
      ? ''
      : `signature ${describeSignature(signature, contract)}${signed === undefined ? '' : ` (${signed})`}`,
    events.length === 0 ? '' : `${events.length} ${events.length === 1 ? 'event' : 'events'}`,
  ];
  return `${verdict}  ${[sanitize(name), ...parts.filter((part) => part !== '')].join(', ')}`;
}

function details({ isSample, events, problems }: TestedRequest, contract: Contract, view: View): string[] {
  const blocks = [
    ...problems.map((problem) => view.style('red', showProblem(problem, view))),
    ...events.flatMap((event, index) => renderEvent(event, index, isSample, contract, view).split('\n')),
  ];
  return blocks.map((line) => (line === '' ? '' : `        ${line}`));
}

/** Numbers with their country are masked; anything shorter may as well be a time. */
function showProblem(problem: string, view: View): string {
  return sanitize(problem).replace(/\+\d{7,}/g, (phone) => showPhone(phone, view));
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
  const lines = [...table, ...hints.map((hint) => view.style('yellow', hint))];
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

/** What the pipeline makes of a field's value, where that is not the value itself. */
function meaningOf(field: string, event: SmsEvent, view: View): string | undefined {
  if (field === 'occurredAt') return event.occurredAt;
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

/** Fields that may well be nothing but digits, and nobody's number. */
const idFields: ReadonlySet<string> = new Set(['eventId', 'messageId', 'sendId', 'replyId', 'occurredAt']);

/** Longer than any identifier, word or time. */
const mostCharacters = 64;

/** A value of a sample, which somebody wrote for others to read. */
function showInvented({ field, value }: ExplainedField): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  const text = textOf(value);
  if (field === 'text') return countOf(text);
  if (field === 'errorText') return maskNumbers(sanitize(text));
  return phoneFields.has(field) || /^\+\d{7,}$/.test(text) ? maskPhone(sanitize(text)) : sanitize(text);
}

/** A value of a captured event: an expression that is wrong may find anything there, a text or a number of somebody. */
function showCaptured({ field, value }: ExplainedField, { event }: ExplainedEvent): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  const text = textOf(value);
  if (field === 'text') return countOf(text);
  const isNumber = idFields.has(field)
    ? isPhone(text) && !/^[\d.-]+$/.test(text)
    : isPhone(text) || (phoneFields.has(field) && /^[+\d]+$/.test(text));
  if (isNumber) return maskPhone(sanitize(text));
  const isTime = field === 'occurredAt' && event !== undefined;
  if (!isTime && (/\s/.test(text) || text.length > mostCharacters)) return countOf(text);
  return idFields.has(field) ? sanitize(text) : maskNumbers(sanitize(text));
}

function isPhone(text: string): boolean {
  return /^\+?[\d\s().\p{Pd}/]+$/u.test(text) && text.replace(/\D/g, '').length >= 7;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function countOf(text: string): string {
  return `a text of ${text.length} ${text.length === 1 ? 'character' : 'characters'}`;
}
