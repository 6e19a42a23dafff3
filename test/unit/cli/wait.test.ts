import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { interruptibleWait } from '../../../cli/wait.ts';

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
