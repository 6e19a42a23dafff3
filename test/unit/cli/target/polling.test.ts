import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { interruptibleWait, tolerating } from '../../../../cli/target/polling.ts';
import { CursorError } from '../../../../functions/history/lists/cursor.ts';

const named = (name: string) => Object.assign(new Error('what AWS said'), { name });

function looks() {
  const warnings: string[] = [];
  const tolerate = tolerating({ err: (text) => void warnings.push(text) });
  return {
    warnings,
    succeed: () => tolerate(async () => 'found'),
    fail: (error: Error = named('TimeoutError')) => tolerate(() => Promise.reject(error)),
  };
}

describe('tolerating: a transient failure', () => {
  it.each([
    named('TimeoutError'),
    named('ThrottlingException'),
    new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) }),
    new TypeError('fetch failed', {
      cause: Object.assign(new Error(), { code: 'ECONNREFUSED', address: '127.0.0.1', port: 1 }),
    }),
  ])('returns undefined and warns once in a row: %s', async (error) => {
    const { warnings, fail, succeed } = looks();
    for (let count = 0; count < 4; count += 1) expect(await fail(error)).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(/[.)] Trying again\.\n$/)]);
    expect(await succeed()).toBe('found');
    await fail(error);
    expect(warnings).toHaveLength(2);
  });

  it('is thrown after the fifth consecutive failure', async () => {
    const { fail, succeed } = looks();
    for (let count = 0; count < 4; count += 1) await fail();
    await succeed();
    for (let count = 0; count < 4; count += 1) await fail();
    await expect(fail()).rejects.toThrow('what AWS said');
  });

  it.each([new CursorError(), named('CredentialsProviderError'), named('AccessDenied'), new Error('a bug')])(
    'is thrown at once where it does not pass: %s',
    async (error) => {
      const { warnings, fail } = looks();
      await expect(fail(error)).rejects.toBe(error);
      expect(warnings).toEqual([]);
    },
  );
});

function waiting() {
  const signals = new EventEmitter();
  const output = new EventEmitter();
  return { signals, output, wait: interruptibleWait(signals, output) };
}

const anHour = 3_600_000;

describe('interruptibleWait', () => {
  it('continues after the time', async () => {
    expect(await waiting().wait(1)).toBe(true);
  });

  it('returns false at once after Ctrl-C, and from then on', async () => {
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

  it('returns false when the output is closed', async () => {
    const { output, wait } = waiting();
    const waited = wait(anHour);
    output.emit('error', new Error('EPIPE'));
    expect(await waited).toBe(false);
  });
});
