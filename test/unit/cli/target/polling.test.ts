import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { interruptibleWait, tolerating } from '../../../../cli/target/polling.ts';
import { CursorError } from '../../../../functions/lists/cursor.ts';
import { commandLine, message } from '../support/harness.ts';
import { listsOf } from '../support/lists.ts';

const named = (name: string) => Object.assign(new Error('what AWS said'), { name });

function looks() {
  const told: string[] = [];
  const tolerate = tolerating({ err: (text) => void told.push(text) });
  return {
    told,
    succeed: () => tolerate(async () => 'found'),
    fail: (error: Error = named('TimeoutError')) => tolerate(() => Promise.reject(error)),
  };
}

describe('a look that fails in passing', () => {
  it.each([
    named('TimeoutError'),
    named('ThrottlingException'),
    new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) }),
  ])('gives nothing, and is told once in a row: %s', async (error) => {
    const { told, fail, succeed } = looks();
    for (let count = 0; count < 4; count += 1) expect(await fail(error)).toBeUndefined();
    expect(told).toHaveLength(1);
    expect(await succeed()).toBe('found');
    await fail(error);
    expect(told).toHaveLength(2);
  });

  it('is thrown the fifth time in a row', async () => {
    const { fail, succeed } = looks();
    for (let count = 0; count < 4; count += 1) await fail();
    await succeed();
    for (let count = 0; count < 4; count += 1) await fail();
    await expect(fail()).rejects.toThrow('what AWS said');
  });

  it.each([new CursorError(), named('CredentialsProviderError'), named('AccessDenied'), new Error('a bug')])(
    'is thrown at once where it does not pass: %s',
    async (error) => {
      const { told, fail } = looks();
      await expect(fail(error)).rejects.toBe(error);
      expect(told).toEqual([]);
    },
  );
});

describe('history message --follow', () => {
  it('goes on after such a look', async () => {
    const answers = [
      async () => message('m', [{ status: 'sent', second: 0 }]),
      () => Promise.reject(named('TimeoutError')),
      async () =>
        message('m', [
          { status: 'sent', second: 0 },
          { status: 'delivered', second: 2 },
        ]),
    ];
    const { sms } = commandLine({
      connection: {
        history: async () => ({
          ...listsOf({}),
          message: () => answers.shift()?.() ?? Promise.reject(new Error('no more')),
        }),
      },
      wait: async () => true,
    });
    const { code, out, err } = await sms('history', 'message', 'm', '--follow', '--json');
    expect([code, err]).toEqual([
      0,
      'warning: No answer in time: check the network and try again. (TimeoutError) Trying again.\n',
    ]);
    expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ status: 'delivered' });
  });
});

function waiting() {
  const signals = new EventEmitter();
  const output = new EventEmitter();
  return { signals, output, wait: interruptibleWait(signals, output) };
}

const anHour = 3_600_000;

describe('interruptibleWait', () => {
  it('goes on after the time', async () => {
    expect(await waiting().wait(1)).toBe(true);
  });

  it('ends at once with Ctrl-C, and for good', async () => {
    const { signals, wait } = waiting();
    const waited = wait(anHour);
    signals.emit('SIGINT');
    expect(await waited).toBe(false);
    expect(await wait(anHour)).toBe(false);
  });

  it('leaves the second Ctrl-C to the process', () => {
    const { signals } = waiting();
    expect(signals.listenerCount('SIGINT')).toBe(1);
    signals.emit('SIGINT');
    expect(signals.listenerCount('SIGINT')).toBe(0);
  });

  it('ends where nobody reads any more', async () => {
    const { output, wait } = waiting();
    const waited = wait(anHour);
    output.emit('error', new Error('EPIPE'));
    expect(await waited).toBe(false);
  });
});
