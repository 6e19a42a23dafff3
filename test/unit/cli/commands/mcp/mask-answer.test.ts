import { expect, it, onTestFinished, vi } from 'vitest';
import { cutAnswer, maskAnswer } from '../../../../../cli/commands/mcp/mask-answer.ts';

it('a number within an id is masked also if the answer has the number as it was received', () => {
  const answer = { entries: [{ messageId: '1000001/12025550143', phone: '12025550143' }] };
  expect(JSON.stringify(maskAnswer(answer))).not.toContain('5550143');
});

it('a number at the end of an id is masked also if no field of the answer is that number', () => {
  const answer = { entries: [{ messageId: '1000001/12025550143', phone: null }] };
  expect(maskAnswer(answer)).toEqual({ entries: [{ messageId: '1000001/•••0143', phone: null }] });
});

it('masks an answer in a time that grows with its texts, and not with the product of texts and numbers', () => {
  const replaced = vi.spyOn(String.prototype, 'replaceAll');
  onTestFinished(() => replaced.mockRestore());
  const workFor = (messages: number) => {
    const entries = Array.from({ length: messages }, (_, message) => ({
      messageId: `SM${message}`,
      phone: `+1202555${String(message).padStart(4, '0')}`,
      events: Array.from({ length: 10 }, () => ({ status: 'sent', occurredAt: '2026-01-15T12:00:00.000Z' })),
    }));
    replaced.mockClear();
    maskAnswer({ entries });
    return replaced.mock.calls.length;
  };
  const small = workFor(10);
  expect(workFor(40)).toBeLessThanOrEqual(4 * small);
});

it('of a very long text the model gets the beginning, and how long it is', () => {
  const answer = {
    entries: [
      { text: 'word '.repeat(20_000), media: ['https://cdn.example/'.padEnd(5001, 'm')] },
      { text: 'short' },
    ],
  };
  expect(cutAnswer(answer)).toEqual({
    entries: [
      {
        text: `${'word '.repeat(1000)}… (of 100000 characters)`,
        media: [`${'https://cdn.example/'.padEnd(5000, 'm')}… (of 5001 characters)`],
      },
      { text: 'short' },
    ],
  });
});

it('of an answer with very many long texts each is shorter', () => {
  const media = Array.from({ length: 1000 }, (_, index) => `https://cdn.example/${index}/`.padEnd(2000, 'm'));
  const { entries } = cutAnswer({ entries: [{ text: 'short', media }] });
  expect(entries[0]?.text).toBe('short');
  expect(entries[0]?.media[999]).toBe(`${'https://cdn.example/999/'.padEnd(50, 'm')}… (of 2000 characters)`);
});

it.each([4990, 4994, 4998])('a number that a cut goes through is masked, at %i', (place) => {
  const entry = { from: '+12025550143', text: `${'x'.repeat(place)}+12025550143` };
  const { entries } = cutAnswer(maskAnswer({ entries: [entry] }));
  expect(entries[0]?.text).not.toContain('+1');
});
