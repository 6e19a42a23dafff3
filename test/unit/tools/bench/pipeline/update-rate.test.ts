import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../../tools/bench/pipeline/update-rate.ts';

describe('messagesOf', () => {
  it('has one event in each where they come apart', () => {
    const messages = messagesOf('apart', 'x', 30);
    expect(messages).toHaveLength(30);
    expect(messages.map(({ events }) => events.size)).toEqual(messages.map(() => 1));
    expect(new Set(messages.map(({ messageId }) => messageId)).size).toBe(10);
  });

  it('has all events of a message in one where they come together', () => {
    const messages = messagesOf('together', 'x', 30);
    expect(messages).toHaveLength(30);
    expect(messages.map(({ events }) => events.size)).toEqual(messages.map(() => 3));
  });

  it('has what the indexes hold: phone, send and time', () => {
    const [message] = messagesOf('apart', 'x', 3);
    expect(message).toMatchObject({ phone: expect.stringMatching(/^\+1202555/), sendId: 'x-send-0' });
  });
});
