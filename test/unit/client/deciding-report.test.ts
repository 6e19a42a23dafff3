import { describe, expect, test } from 'vitest';
import {
  type Decision,
  decisionOf,
  decisionText,
  englishDecision,
  firstReportAt,
  isCanonicalStatus,
} from '../../../client/deciding-report.ts';
import type { StatusEvent } from '../../../client/types.ts';
import { rankOf } from '../../../contract/schema/sms-event.ts';
import { mergeMessages, messageOf } from '../../../functions/history/message.ts';
import { viewMessage } from '../../../functions/query/api/views/views.ts';

const at = (second: number) => `2026-01-15T12:00:${String(second).padStart(2, '0')}.000Z`;

function report(eventId: string, status: string, second: number): StatusEvent {
  return { eventId, status, occurredAt: at(second), receivedAt: at(second) };
}

/** Returns the message that the history makes of reports. */
function stored(first: StatusEvent, ...others: readonly StatusEvent[]) {
  const one = ({ eventId, status, occurredAt, receivedAt, origin }: StatusEvent) => {
    const rank = isCanonicalStatus(status) ? rankOf(status) : 0;
    return messageOf(
      {
        kind: 'sms.status',
        messageId: 'msg-1',
        eventId,
        status,
        rank,
        occurredAt,
        ...(origin && { origin }),
      },
      receivedAt,
    );
  };
  return structuredClone(
    viewMessage(others.reduce((message, next) => mergeMessages(message, one(next)), one(first))),
  ) as never;
}

describe('the report that decides the status of a message', () => {
  test('is the only one', () => {
    const only = report('a', 'sent', 1);
    expect(decisionOf(stored(only))).toEqual({ report: only, reason: { kind: 'only' }, isOvertaken: false });
  });

  test('has the most final status, also if another happened later', () => {
    const delivered = report('a', 'delivered', 1);
    expect(decisionOf(stored(delivered, report('b', 'sent', 2)))).toEqual({
      report: delivered,
      reason: { kind: 'rank', next: 'sent' },
      isOvertaken: true,
    });
  });

  test('is the later of two with the same rank', () => {
    const failed = report('b', 'failed', 2);
    expect(decisionOf(stored(report('a', 'undelivered', 1), failed))).toEqual({
      report: failed,
      reason: { kind: 'later', next: 'undelivered' },
      isOvertaken: false,
    });
  });

  test('is the answer that was received later of two lookups, whatever time the service shows', () => {
    const first = { ...report('lookup:undelivered', 'undelivered', 9), origin: 'lookup', receivedAt: at(10) };
    const second = { ...report('lookup:failed', 'failed', 1), origin: 'lookup', receivedAt: at(20) };
    const message = stored(first as StatusEvent, second as StatusEvent);
    expect(message).toMatchObject({ status: 'failed' });
    expect(decisionOf(message)).toEqual({
      report: second,
      reason: { kind: 'later', next: 'undelivered' },
      isOvertaken: true,
    });
  });

  test('has the greater event id where rank and time are the same', () => {
    const failed = report('b', 'failed', 1);
    expect(decisionOf(stored(failed, report('a', 'undelivered', 1)))).toMatchObject({
      report: failed,
      reason: { kind: 'id', next: 'undelivered' },
    });
  });

  test('is the one that the stored status names, where a contract ranked a word in another way', () => {
    const word = report('a', 'handed_over', 1);
    const message = {
      events: [word, report('b', 'sent', 2)],
      status: 'handed_over',
      statusAt: word.occurredAt,
    };
    expect(decisionOf(message)?.report).toBe(word);
  });

  test('is undefined for a message without reports', () => {
    expect(decisionOf({ events: [], status: 'unknown', statusAt: '' })).toBeUndefined();
  });
});

test.each<[Decision['reason'], string]>([
  [{ kind: 'only' }, 'It is the only report.'],
  [{ kind: 'rank', next: 'sent' }, '“<delivered>” is more final than “<sent>”.'],
  [
    { kind: 'origin', next: 'sent' },
    'The report with “<sent>” has the same rank, and comes from a lookup or an import.',
  ],
  [
    { kind: 'later', next: 'sent' },
    'It is later than the other report with “<sent>” or a status of the same rank.',
  ],
  [
    { kind: 'id', next: 'sent' },
    'Another report has the same rank and time. The greater event id decides, so that the order of arrival does not matter.',
  ],
])('the sentence for %j names the statuses as readers know them', (reason, sentence) => {
  const decision = { report: report('a', 'delivered', 1), reason, isOvertaken: false };
  const nameOf = (status: string) => `<${status}>`;
  expect(decisionText(decision, englishDecision, nameOf)).toBe(sentence);
  expect(decisionText({ ...decision, isOvertaken: true }, englishDecision, nameOf)).toBe(
    `${sentence} ${englishDecision.overtaken}`,
  );
});

test('the first report is the one with the earliest time', () => {
  expect(firstReportAt(stored(report('b', 'delivered', 5), report('a', 'sent', 2)))).toBe(at(2));
});
