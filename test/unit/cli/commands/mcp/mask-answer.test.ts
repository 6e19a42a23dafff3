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

it('of an answer with very many long texts each is shorter, and then so are lists in its entries', () => {
  const media = Array.from({ length: 300 }, (_, index) => `https://cdn.example/${index}/`.padEnd(2000, 'm'));
  const shorter = (text = '', length = 500) => `${text.slice(0, length)}… (of 2000 characters)`;
  const text = 'word '.repeat(400);
  const one = cutAnswer({ entries: [{ text, media }] }).entries[0];
  expect(one).toEqual({ text: shorter(text), media: media.map((url) => shorter(url)) });
  const [two] = cutAnswer({ entries: Array.from({ length: 2 }, () => ({ text, media })) }).entries;
  expect(two?.text).toBe(shorter(text));
  expect(two?.media).toEqual([...media.slice(0, 10).map((url) => shorter(url)), '… (of 300)']);
});

it('no answer is longer than 200,000 characters, and no id or position is cut', () => {
  const id = 'wamid.'.padEnd(90, 'x');
  const media = Array.from({ length: 30 }, (_, index) => `https://cdn.example/${index}/`.padEnd(2048, 'm'));
  const reply = { replyId: id, messageId: id, sendId: id, of: `r~${id}`, text: 'word '.repeat(1000), media };
  const answer = { entries: Array.from({ length: 200 }, () => reply), next: id.repeat(5) };
  const cut = cutAnswer(answer);
  expect(JSON.stringify(cut).length).toBeLessThanOrEqual(200_000);
  expect(cut.next).toBe(answer.next);
  expect(cut.entries).toHaveLength(200);
  expect(cut.entries[199]).toMatchObject({ replyId: id, messageId: id, sendId: id, of: `r~${id}` });
});

it.each([4990, 4994, 4998])('a number that a cut goes through is masked, at %i', (place) => {
  const entry = { from: '+12025550143', text: `${'x'.repeat(place)}+12025550143` };
  const { entries } = cutAnswer(maskAnswer({ entries: [entry] }));
  expect(entries[0]?.text).not.toContain('+1');
});
