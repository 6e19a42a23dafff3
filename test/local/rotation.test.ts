import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rotationPass, shortPlan } from '../../tools/drills/rotation/rotation-scenario.ts';
import { everySecret, findLeaks, outputOf } from '../../tools/engine/leaks.ts';
import { type LocalPipeline, startLocalPipeline } from '../../tools/support/local-pipeline.ts';
import { smsCommand } from '../../tools/support/sms-command.ts';

/** The drill in short: `npm run rotation-drill` is the same at full load, and kills setup as well. */
describe('while the secret is rotated, and rotated elsewhere, with forged requests mixed in', () => {
  it.each(['rotating', 'always'] as const)(
    'the pipeline stores all acknowledged events and no forged event, and shows no secret (parkUnverified: %s)',
    async (park) => {
      const { broken, evidence } = await rotationPass({ ...shortPlan, park }, () => {});
      expect(broken).toEqual([]);
      // The mark was met by forged requests, and they were rejected later.
      expect(evidence.found.quarantine.size).toBeGreaterThan(0);
    },
  );
});

describe('webhook rotate on the command line', () => {
  let pipeline: LocalPipeline;
  beforeAll(async () => {
    pipeline = await startLocalPipeline();
  });
  afterAll(() => pipeline.stop());

  it('rejects a second rotation with the remaining time, and shows which secret --force drops', async () => {
    const rotate = (...options: string[]) =>
      smsCommand(pipeline.directory, ['webhook', 'rotate', ...options]);
    const before = await pipeline.webhookSecret();

    const first = await rotate();
    expect(first.code).toBe(0);
    const second = await rotate();
    expect(second.code).toBe(1);
    expect(second.err).toMatch(/still accepted for 23 h 59 min \(until \d{4}-.*--force/);
    const forced = await rotate('--force');
    expect(forced.code).toBe(0);
    expect(forced.out + forced.err).toMatch(/accepted for another 23 h 59 min .* refused from then on/s);

    const status = await smsCommand(pipeline.directory, ['webhook', 'status']);
    const secrets = await everySecret(pipeline);
    expect(secrets).toContain(before);
    const commands = [first, second, forced, status].flatMap(({ out, err }) => [out, err]).join('\n');
    expect(findLeaks(outputOf(pipeline, ['setup']).set('the command line', commands), secrets)).toEqual([]);
    // It would have found one.
    expect(findLeaks(new Map([['a log', `x ${before} y`]]), secrets)).toEqual(['a log']);
  });
});
