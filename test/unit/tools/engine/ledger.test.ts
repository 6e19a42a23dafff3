import { expect, it } from 'vitest';
import { Ledger } from '../../../../tools/engine/ledger.ts';

const report = { messageId: 'c0-1', eventId: 'e1', status: 'sent', second: 1 };

it('the ledger keeps the best of the answers to a report, and counts each', () => {
  const ledger = new Ledger();
  const answers = ([401, 503, 200, 200, 'timeout', 429] as const).map((result) => {
    const entry = ledger.sent(report);
    ledger.answered(entry, result);
    return entry.answer;
  });
  expect(answers).toEqual(['rejected', 'unknown', ...Array(4).fill('acknowledged')]);
  expect(ledger.acknowledged).toBe(1);
  expect(ledger.answers.get(200)).toBe(2);
  expect(ledger.reports.size).toBe(1);
});

it('the ledger counts forged requests apart', () => {
  const ledger = new Ledger();
  ledger.answered(ledger.sent(report, { isForged: true }), 200);
  expect(ledger.acknowledged).toBe(0);
  expect(ledger.forgedAnswers).toEqual(new Map([[200, 1]]));
  expect(ledger.reports.size).toBe(0);
});

it('the ledger counts what has to be found of each cell', () => {
  const ledger = new Ledger();
  ledger.answered(ledger.sent(report), 200);
  ledger.answered(ledger.sent({ ...report, eventId: 'e2' }), 503);
  ledger.answered(ledger.sent({ ...report, messageId: 'c1-1' }, { isForged: true }), 200);
  ledger.replies.set('c1-2', { number: '+12125550100', isStop: false });
  ledger.cards.set('a card', 'c2-1');
  ledger.unreadable.add('c2-2');
  ledger.degradations.set('an event', 'c4-1');
  expect(['c0', 'c1', 'c2', 'c3', 'c4'].map((cell) => ledger.count(cell))).toEqual([1, 2, 2, 0, 1]);
});
