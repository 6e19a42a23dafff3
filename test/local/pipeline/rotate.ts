import { expect, it } from 'vitest';
import { everySecret, findLeaks, outputOf } from '../../../tools/engine/leaks.ts';
import type { LocalPipeline } from '../../../tools/support/local-pipeline.ts';
import { smsCommand } from '../../../tools/support/sms-command.ts';
import type { Started } from './post-signed.ts';

export function commandRotates(pipeline: Started<LocalPipeline>): void {
  it('rejects a second rotation with the remaining time, and shows which secret --force drops', async () => {
    const sms = (...args: string[]) => smsCommand(pipeline().directory, ['webhook', ...args]);
    const before = await pipeline().webhookSecret();

    const first = await sms('rotate');
    expect(first.code).toBe(0);
    const second = await sms('rotate');
    expect(second.code).toBe(1);
    expect(second.err).toMatch(/still accepted for 23 h 59 min \(until \d{4}-.*--force/);
    const forced = await sms('rotate', '--force');
    expect(forced.code).toBe(0);
    expect(forced.out + forced.err).toMatch(/accepted for another 23 h 59 min .* refused from then on/s);

    const status = await sms('status');
    const secrets = await everySecret(pipeline());
    expect(secrets).toContain(before);
    const commands = [first, second, forced, status].flatMap(({ out, err }) => [out, err]).join('\n');
    const places = outputOf(pipeline(), ['setup']).set('the command line', commands);
    expect(findLeaks(places, secrets)).toEqual([]);
    // It would have found one.
    expect(findLeaks(new Map([['a log', `x ${before} y`]]), secrets)).toEqual(['a log']);
  });
}
