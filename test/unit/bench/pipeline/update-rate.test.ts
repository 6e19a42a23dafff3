import { describe, expect, it } from 'vitest';
import { coresOf, messagesOf, portIn } from '../../../bench/pipeline/update-rate.ts';

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

describe('portIn', () => {
  it('reads the port from the command line', () => {
    expect(portIn('java\0-jar\0DynamoDBLocal.jar\0-port\x0045678\0-inMemory\0')).toBe(45_678);
    expect(portIn('java\0-jar\0other.jar\0')).toBeUndefined();
  });
});

it('the cores of database and client are those of their processes, over the seconds', () => {
  const parts = [['DynamoDB Local', 6] as const, ['sender and bench', 3] as const, ['worker', 1] as const];
  expect(coresOf({ parts, others: 2 }, 4)).toEqual({ database: 1.5, client: 0.75 });
});
