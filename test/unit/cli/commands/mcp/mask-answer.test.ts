import { expect, it } from 'vitest';
import { maskAnswer } from '../../../../../cli/commands/mcp/mask-answer.ts';

it('a number within an id is masked also if the answer has the number as it was received', () => {
  const answer = { entries: [{ messageId: '1000001/12025550143', phone: '12025550143' }] };
  expect(JSON.stringify(maskAnswer(answer))).not.toContain('5550143');
});

it('a number at the end of an id is masked also if no field of the answer is that number', () => {
  const answer = { entries: [{ messageId: '1000001/12025550143', phone: null }] };
  expect(maskAnswer(answer)).toEqual({ entries: [{ messageId: '1000001/•••0143', phone: null }] });
});
