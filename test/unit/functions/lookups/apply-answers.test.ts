import { expect, it } from 'vitest';
import { createLookupReader } from '../../../../contract/lookups/lookup-answer.ts';
import { applyAnswers } from '../../../../functions/lookups/apply-answers.ts';
import { memoryHistory } from '../../../support/fakes/history.ts';
import { presetContract } from '../../../support/preset-contracts.ts';
import { recorder } from '../../../support/recorder.ts';
import { readFrom } from './made-service.ts';

const now = '2026-01-16T00:00:01.000Z';

it.each([
  ['4795550119', ['+14795550119', '+4795550119', '4795550119']],
  ['sip:+12025550143@host.example', ['+12025550143', 'sip:+12025550143@host.example']],
  ['+12025550143', ['+12025550143']],
])(
  'an opt-out at the provider, of a message to %j, counts for each number that it may be',
  async (to, phones) => {
    const preset = presetContract('twilio');
    const contract = { ...preset, events: { ...preset.events, numbers: 'mixed' as const } };
    if (contract.lookups === null) throw new Error('expected lookups');
    const message = {
      sid: 'SM1',
      to,
      status: 'failed',
      error_code: 21610,
      date_updated: 'Thu, 15 Jan 2026 12:00:00 +0000',
    };
    const answer = createLookupReader(
      contract,
      contract.lookups,
    )({
      operation: 'message',
      text: JSON.stringify(message),
      answeredAt: now,
    });
    if (answer.kind === 'unreadable') throw new Error(answer.expected);
    const history = memoryHistory({});
    const { log, count } = recorder();
    await applyAnswers(answer.reports, {
      readMessages: readFrom(history),
      history,
      optOuts: history.register,
      keepsPrices: true,
      clock: () => Date.parse(now),
      log,
      count,
    });

    const { entries } = await history.optOuts({}, { limit: 10 });
    expect(entries.map(({ phone }) => phone).sort()).toEqual(phones);
    expect(new Set(entries.map(({ by, messageId }) => `${by} ${messageId}`))).toEqual(
      new Set(['provider SM1']),
    );
    const stored = await history.message('SM1');
    expect(stored?.phone).toBe(to);
    expect(stored).not.toHaveProperty('recipientMayBe');
  },
);
