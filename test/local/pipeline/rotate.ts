import { expect, it } from 'vitest';
import { everySecret, findLeaks, outputOf } from '../../../tools/engine/leaks.ts';
import type { LocalPipeline } from '../../../tools/support/local-pipeline.ts';
import { type CommandOutcome, smsCommand } from '../../../tools/support/sms-command.ts';
import { until } from '../../../tools/support/until.ts';
import type { Started } from './post-signed.ts';

export function commandRotates(pipeline: Started<LocalPipeline>): void {
  it('rejects a second rotation with the remaining time, and shows which secret --force drops', async () => {
    const printed: string[] = [];
    const sms = async (...args: string[]) => {
      const outcome = await smsCommand(pipeline().directory, ['webhook', ...args]);
      printed.push(outcome.out, outcome.err);
      return outcome;
    };
    /** Runs it again as long as AWS is too slow for it. */
    const rotate = (isDone: (outcome: CommandOutcome) => boolean | Promise<boolean>, ...options: string[]) =>
      until('the secret is rotated', async () => {
        const outcome = await sms('rotate', ...options);
        return (await isDone(outcome)) && outcome;
      });
    const before = await pipeline().webhookSecret();

    await rotate(async () => (await pipeline().webhookSecret()) !== before);
    const second = await rotate(({ err }) => err.includes('still accepted'));
    expect(second.code).toBe(1);
    expect(second.err).toMatch(/still accepted for \d+ h \d+ min \(until \d{4}-.*--force/);
    const forced = await rotate(({ code }) => code === 0, '--force', '--confirm');
    expect(forced.out + forced.err).toMatch(/accepted for another \d+ h \d+ min .* refused from then on/s);

    await sms('status');
    const secrets = await everySecret(pipeline());
    expect(secrets).toContain(before);
    const places = outputOf(pipeline(), ['setup']).set('the command line', printed.join('\n'));
    expect(findLeaks(places, secrets)).toEqual([]);
    // It would have found one.
    expect(findLeaks(new Map([['a log', `x ${before} y`]]), secrets)).toEqual(['a log']);
  });
}
