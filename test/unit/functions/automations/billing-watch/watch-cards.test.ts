import { describe, expect, it } from 'vitest';
import {
  CardEventError,
  watchCards,
} from '../../../../../functions/automations/billing-watch/watch-cards.ts';
import type { Result } from '../../../../../functions/base/sms-service/request.ts';
import type { Card } from '../../../../../functions/base/sms-service/service-client.ts';
import type { BusEvent } from '../../../../../functions/publish/bus/details.ts';
import type { PublishOutcome } from '../../../../../functions/publish/bus/event-bus-client.ts';
import { recorder } from '../../../../support/recorder.ts';

const now = Date.parse('2026-01-15T12:00:00.000Z');
const id = '6f6a2b7e-6d0f-4f0e-9d3b-0a5f6c1f7a01';
const published: PublishOutcome = { kind: 'published' };
const throttled: PublishOutcome = { kind: 'failed', error: 'ThrottlingException' };

const card = (validate: string): Card => ({
  id,
  number: '4242',
  name: 'ADA EXAMPLE',
  alias: 'Main card',
  validate,
  flag: 'visa',
  default: true,
});

function watcher(
  answer: Result<Card[]>,
  outcomes: readonly PublishOutcome[] = [published],
  connectFails?: Error,
) {
  const { log, ...recorded } = recorder();
  const events: BusEvent[] = [];
  const sleeps: number[] = [];
  const deadlines: number[] = [];
  const dependencies = {
    connect: async (deadline: number) => {
      deadlines.push(deadline);
      if (connectFails !== undefined) throw connectFails;
      return { listCards: async () => answer };
    },
    bus: {
      publish: async (batch: readonly BusEvent[]) => {
        events.push(...batch);
        return outcomes.slice(events.length - 1, events.length);
      },
    },
    clock: () => now,
    sleep: async (ms: number) => {
      sleeps.push(ms);
    },
    log,
  };
  return { ...recorded, events, sleeps, deadlines, run: () => watchCards(dependencies, 60_000) };
}

const good = (...cards: readonly Card[]): Result<Card[]> => ({ kind: 'ok', value: [...cards] });

describe('the card watch', () => {
  it('publishes nothing while the default card is good, and leaves time to publish', async () => {
    const { run, events, lines, deadlines } = watcher(good(card('09/31')));
    await run();
    expect([events, deadlines]).toEqual([[], [now + 45_000]]);
    expect(lines).toEqual([{ name: 'BILLING_CHECKED', fields: { cards: 1, state: 'good' } }]);
  });

  it.each([
    ['expiring', good(card('01/26'))],
    ['expired', good(card('12/25'))],
    ['no-default-card', good()],
    ['no-default-card', good({ ...card('01/30'), default: false })],
  ])(
    'publishes that the card is %s, the same every day, and no data of the card but its id',
    async (state, answer) => {
      const first = watcher(answer);
      await first.run();
      await watcher(answer).run();
      expect(first.events).toMatchObject([{ detailType: 'SMS Billing Card Expiring', detail: { state } }]);
      expect(first.lines).toMatchObject([{ name: 'BILLING_CHECKED', fields: { state } }]);
      const output = JSON.stringify(first.events) + first.text();
      for (const secret of ['4242', 'ADA', 'Main', 'visa', '01/26', '12/25'])
        expect(output).not.toContain(secret);
    },
  );

  it('retries if the bus throttles it', async () => {
    const { run, events, sleeps } = watcher(good(card('01/26')), [throttled, throttled, published]);
    await run();
    expect(sleeps).toEqual([500, 2_000]);
    expect(new Set(events.map(({ detail }) => detail.eventId)).size).toBe(1);
  });
});

describe('the card watch fails, so that the alarm counts,', () => {
  it('if the bus throttles each attempt', async () => {
    const { run, events, lines } = watcher(good(), Array(9).fill(throttled));
    await expect(run()).rejects.toThrow(new CardEventError('not published: ThrottlingException'));
    expect(events).toHaveLength(3);
    expect(lines).toEqual([
      {
        name: 'BILLING_FAILED',
        fields: { error: 'CardEventError', reason: 'not published: ThrottlingException' },
      },
    ]);
  });

  it('if the bus rejects the event permanently', async () => {
    const { run, events } = watcher(good(), [{ kind: 'refused', error: 'TooLarge' }]);
    await expect(run()).rejects.toThrow('not published: TooLarge');
    expect(events).toHaveLength(1);
  });

  it('if the bus returns no result', async () => {
    await expect(watcher(good(), []).run()).rejects.toThrow('not published: no answer');
  });

  it('if the expiry cannot be read, without logging it', async () => {
    const { run, events, lines } = watcher(good(card('4242/26')));
    await expect(run()).rejects.toMatchObject({ name: 'CardExpiryError' });
    expect(events).toEqual([]);
    expect(lines).toMatchObject([{ name: 'BILLING_FAILED', fields: { error: 'CardExpiryError' } }]);
    expect(JSON.stringify(lines)).not.toContain('4242');
  });

  it('if the service does not answer, without quoting the service', async () => {
    const error = {
      kind: 'server',
      operation: 'list saved cards',
      status: 503,
      body: 'ADA',
      retryAfterMs: null,
    } as const;
    const { run, events, lines, text } = watcher({ kind: 'error', error });
    await expect(run()).rejects.toThrow('list saved cards: server (503)');
    expect(events).toEqual([]);
    expect(lines).toMatchObject([{ name: 'BILLING_FAILED' }]);
    expect(text()).not.toContain('ADA');
  });

  it('if it cannot connect, without quoting errors of other libraries', async () => {
    const { run, lines } = watcher(good(), [], new Error('about a person'));
    await expect(run()).rejects.toThrow();
    expect(lines).toEqual([{ name: 'BILLING_FAILED', fields: { error: 'Error', reason: null } }]);
  });
});
