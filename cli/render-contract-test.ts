import type { Contract } from '../functions/core/contract/contract.ts';
import type { ExplainedEvent, ExplainedField } from '../functions/core/contract/explain.ts';
import type { SmsEvent } from '../functions/core/events/event.ts';
import { outcomeOf, unmappedRank } from '../functions/core/statuses.ts';
import { describeSignature, isRefused } from './describe-signature.ts';
import type { View } from './print.ts';
import { showPhone } from './show.ts';
import type { TestedRequest } from './test-contract.ts';
import { maskNumbers } from './text/mask-phone.ts';
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

function details({ events, problems }: TestedRequest, contract: Contract, view: View): string[] {
  const blocks = [
    ...problems.map((problem) => view.style('red', showProblem(problem, view))),
    ...events.flatMap((event, index) => renderEvent(event, index, contract, view).split('\n')),
  ];
  return blocks.map((line) => (line === '' ? '' : `        ${line}`));
}

/** Numbers with their country are masked; anything shorter may as well be a time. */
function showProblem(problem: string, view: View): string {
  return sanitize(problem).replace(/\+\d{7,}/g, (phone) => showPhone(phone, view));
}

function renderEvent(explained: ExplainedEvent, index: number, contract: Contract, view: View): string {
  const { event, reason, fields } = explained;
  const id =
    event === undefined || contract.events.id.from === 'body' ? '' : `, id ${sanitize(event.eventId)}`;
  const title = event === undefined ? `not readable (${reason})` : `${event.kind}${id}`;
  const rows = fields.map((field): Cell[] => [
    { text: field.field },
    valueCell(field, explained, view),
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

function valueCell(field: ExplainedField, { event, field: wrong }: ExplainedEvent, view: View): Cell {
  if (field.value === undefined) return { text: 'nothing', format: wrong === field.field ? 'red' : 'dim' };
  const value = showValue(field.field, field.value, view);
  const becomes = event && meaningOf(field.field, event, view);
  if (event?.kind === 'sms.status' && field.field === 'status' && event.rank === unmappedRank)
    return { text: `${value}: not in "statuses", so it never wins over a known one`, format: 'yellow' };
  return { text: becomes === undefined || becomes === value ? value : `${value} -> ${becomes}` };
}

/** What the pipeline makes of a field's value, where that is not the value itself. */
function meaningOf(field: string, event: SmsEvent, view: View): string | undefined {
  if (field === 'occurredAt') return event.occurredAt;
  if (event.kind === 'sms.reply')
    return (field === 'from' || field === 'to') && event[field] !== undefined
      ? showPhone(event[field], view)
      : undefined;
  switch (field) {
    case 'status':
      return `${sanitize(event.status)} (${outcomeOf(event.rank)})`;
    case 'recipient':
      return event.phone === undefined ? undefined : showPhone(event.phone, view);
    case 'errorCode':
      return event.errorReason;
    default:
      return undefined;
  }
}

/** Numbers are masked, and texts left out, unless the reader asked for them. */
function showValue(field: string, value: unknown, view: View): string {
  if (typeof value === 'object' && !view.reveal) return Array.isArray(value) ? 'a list' : 'an object';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (view.reveal) return sanitize(text);
  if (field === 'text') return `a text of ${text.length} ${text.length === 1 ? 'character' : 'characters'}`;
  if (field === 'errorText') return maskNumbers(sanitize(text));
  // Identifiers and times are digits as well; what an expression takes by mistake may be a number with its country.
  const isPhone = ['recipient', 'from', 'to'].includes(field) || /^\+\d{7,}$/.test(text);
  return isPhone ? showPhone(text, view) : sanitize(text);
}
