import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../../functions/automations/delivery-watch/rules/finding.ts';
import type { SentMessage } from '../../../../../functions/automations/delivery-watch/sends-of-changes.ts';
import { sentExamples } from '../../../../../functions/automations/delivery-watch/sent-examples.ts';
import { failureName } from '../../../../../functions/insights/counters/count-names.ts';

const quarter = Date.UTC(2026, 0, 15, 12);
const finding: Finding = {
  signal: 'time-to-delivery',
  figure: 12_000,
  usual: 6000,
  score: 9,
  distance: 0.7,
  chance: 0.1,
  messages: 400,
  quarter,
  comparedWith: 'weeks',
  quarters: 36,
};
const german = { subject: { kind: 'country', country: 'DE' }, findings: [finding] } as const;
const sent = (messageId: string, facts: Partial<SentMessage> = {}): SentMessage => ({
  messageId,
  sendId: 'spring',
  start: quarter,
  country: 'DE',
  source: 'main',
  tally: { delivered: 1 },
  deliveredMs: 20_000,
  ...facts,
});
const idsOf = (messages: readonly SentMessage[], searched: Parameters<typeof sentExamples>[1]) =>
  sentExamples(messages, searched).map(({ messageId }) => messageId);

describe('examples of messages that were read of sends', () => {
  it('are delivered as late as half of the messages or later, where delivery is slow', () => {
    const messages = [
      sent('fast', { deliveredMs: 5000 }),
      sent('slow'),
      sent('other', { country: 'FR' }),
      sent('later', { start: quarter + 900_000 }),
      sent('pending', { deliveredMs: undefined }),
    ];
    expect(idsOf(messages, german)).toEqual(['slow']);
  });

  it('have failed, for the reason if it is about one, where fewer are delivered', () => {
    const failing = { ...finding, signal: 'failure-share' } as const;
    const failed = (reason: 'spam' | 'blocked') => ({ tally: { failed: 1, [failureName(reason, '')]: 1 } });
    const messages = [sent('slow'), sent('spam', failed('spam')), sent('blocked', failed('blocked'))];
    const subject = { kind: 'reason', reason: 'spam' } as const;
    expect(idsOf(messages, { subject, findings: [failing] })).toEqual(['spam']);
    expect(idsOf(messages, { ...german, findings: [finding, failing] })).toEqual(['spam', 'blocked']);
  });

  it('are slow or not delivered yet where too many of a source are slow', () => {
    const share = { ...finding, signal: 'slow-share' } as const;
    const backup = { subject: { kind: 'source', source: 'backup' }, findings: [share] } as const;
    const of = (id: string, facts: Partial<SentMessage>) => sent(id, { source: 'backup', ...facts });
    const messages = [
      sent('other', { deliveredMs: 400_000 }),
      of('quick', { deliveredMs: 300_000 }),
      of('slow', { deliveredMs: 300_001 }),
      of('open', { tally: { sent: 1 }, deliveredMs: undefined }),
      of('timeless', { deliveredMs: undefined }),
      of('failed', { tally: { failed: 1, [failureName('spam', '')]: 1 }, deliveredMs: undefined }),
    ];
    expect(idsOf(messages, backup)).toEqual(['slow', 'open']);
  });

  it('are of the send that it is about, five at most, and none without a figure', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => sent(id));
    expect(idsOf([sent('other', { sendId: 'summer' }), ...many], { ...german, sendId: 'spring' })).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
    expect(idsOf(many, { ...german, findings: [] })).toEqual([]);
  });
});
