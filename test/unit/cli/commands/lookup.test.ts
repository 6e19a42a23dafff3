import { describe, expect, it } from 'vitest';
import { judgeLookups } from '../../../../cli/commands/doctor/lookups.ts';
import { MissingOutput } from '../../../../cli/target/stack/outputs.ts';
import type { LookupRequest } from '../../../../functions/lookups/shapes.ts';
import { commandLine } from '../support/harness.ts';

/** The command, with a lookup function that gives these answers one after another. */
function lookupAnswering(...answers: unknown[]) {
  const requests: LookupRequest[] = [];
  const invokeLookups = async (request: LookupRequest) => {
    requests.push(request);
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { requests, ...commandLine({ connection: { invokeLookups } }) };
}

const nothing = { listed: 0, missing: 0, changed: 0, kept: 0, unreadable: 0, changes: [] };
const found = {
  listed: 5,
  missing: 1,
  changed: 1,
  kept: 0,
  unreadable: 0,
  changes: [
    { messageId: 'msg-1', after: 'delivered' },
    { messageId: 'msg-2', before: 'sent', after: 'failed' },
  ],
};

describe('sms lookup', () => {
  it('shows what was known, missing and changed, and each change', async () => {
    const { sms } = lookupAnswering(found);
    const { code, out } = await sms('lookup', '--since', '1d');
    expect(code).toBe(0);
    expect(out).toMatch(/known, and in the same state +3\n/);
    expect(out).toMatch(/missing here, and stored now +1\n/);
    expect(out).toMatch(/in another state here, and stored now +1\n/);
    expect(out).toMatch(/msg-1 +missing +delivered\n/);
    expect(out).toMatch(/msg-2 +sent +failed\n/);
  });

  it('counts messages whose other state stays in a row of their own', async () => {
    const { sms } = lookupAnswering({ ...found, kept: 2 });
    const { out } = await sms('lookup', '--since', '1d');
    expect(out).toMatch(/known, and in the same state +1\n/);
    expect(out).toMatch(/known, and the other state here takes precedence +2\n/);
  });

  it('says that a dry run stores nothing', async () => {
    const { sms, requests } = lookupAnswering(found);
    const { out } = await sms('lookup', '--send', 'send-1', '--dry-run');
    expect(requests).toEqual([{ action: 'send', sendId: 'send-1', dryRun: true }]);
    expect(out).toMatch(/missing here +1\n/);
    expect(out).not.toContain('stored now');
  });

  it('asks until there are no more pages, and adds up', async () => {
    const { sms, requests } = lookupAnswering({ ...found, position: { page: '2', sends: ['s'] } }, found);
    const { out } = await sms(
      'lookup',
      '--since',
      '2026-01-14T00:00Z',
      '--until',
      '2026-01-15T00:00Z',
      '--json',
    );
    expect(JSON.parse(out)).toMatchObject({ dryRun: false, listed: 10, missing: 2, changed: 2 });
    const span = {
      action: 'span',
      since: '2026-01-14T00:00:00.000Z',
      until: '2026-01-15T00:00:00.000Z',
      dryRun: false,
    };
    expect(requests).toEqual([span, { ...span, position: { page: '2', sends: ['s'] } }]);
  });

  it('asks for a day at once at most, oldest first', async () => {
    const { sms, requests } = lookupAnswering(found);
    const { out } = await sms(
      'lookup',
      '--since',
      '2026-01-13T12:00Z',
      '--until',
      '2026-01-15T00:00Z',
      '--json',
    );
    expect(JSON.parse(out)).toMatchObject({ listed: 10 });
    expect(requests).toMatchObject([
      { since: '2026-01-13T12:00:00.000Z', until: '2026-01-14T12:00:00.000Z' },
      { since: '2026-01-14T12:00:00.000Z', until: '2026-01-15T00:00:00.000Z' },
    ]);
  });

  it.each([
    [['--message', 'nosuch'], 'message'],
    [['--send', 'nosuch', '--json'], 'send'],
  ])('fails without counts if the service does not know what %j names', async (args, kind) => {
    const { sms } = lookupAnswering(nothing);
    const { code, out, err } = await sms('lookup', ...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`error: The service does not know this ${kind}.`);
  });

  it('of a time without messages is no failure', async () => {
    const { sms } = lookupAnswering(nothing);
    const { code, out } = await sms('lookup', '--since', '1h');
    expect(code).toBe(0);
    expect(out).toMatch(/known, and in the same state +0\n/);
  });

  it('shows a message that the contract cannot read, which the service knows', async () => {
    const { sms } = lookupAnswering({ ...nothing, unreadable: 1 });
    const { code, out } = await sms('lookup', '--message', 'msg-1');
    expect(code).toBe(0);
    expect(out).toMatch(/not readable by the contract +1\n/);
  });

  describe('that fails after some answers', () => {
    const refused = { error: { kind: 'server', message: 'list messages: server (status 503)' } };

    it('shows what they added, the error, and the command that goes on', async () => {
      const { sms } = lookupAnswering(found, refused);
      const span = ['--since', '2026-01-13T12:00Z', '--until', '2026-01-15T00:00Z'];
      const { code, out, err } = await sms('lookup', ...span);
      expect(code).toBe(1);
      expect(out).toMatch(/missing here, and stored now +1\n/);
      expect(out).toMatch(/msg-2 +sent +failed\n/);
      expect(err).toContain('--since 2026-01-14T12:00:00.000Z --until 2026-01-15T00:00:00.000Z goes on');
      expect(err).toContain('error: list messages: server (status 503)');
    });

    it('about a send says that the same command asks again', async () => {
      const { sms } = lookupAnswering({ ...found, position: { page: '2' } }, refused);
      const { code, out, err } = await sms('lookup', '--send', 'send-1', '--json');
      expect([code, JSON.parse(out).missing]).toEqual([1, 1]);
      expect(err).toContain('The same command asks again, and stores nothing twice.');
    });
  });

  it.each([
    [[], 'Expected --message, --send or --since.'],
    [['--until', 'now'], 'Expected --message, --send or --since.'],
    [['--since', '1d', '--until', '2d'], '--since must be before --until.'],
    [['--message', 'm', '--send', 's'], "option '--message <id>' cannot be used with option '--send <id>'"],
  ])('refuses %j as wrong usage', async (args, problem) => {
    const { sms, requests } = lookupAnswering(nothing);
    const { code, err } = await sms('lookup', ...args);
    expect([code, requests]).toEqual([2, []]);
    expect(err).toContain(problem);
  });

  it.each([
    [
      'the service refuses the API key',
      { error: { kind: 'unauthorized', message: 'look up message: unauthorized (status 401)' } },
      'unauthorized (status 401). The service rejects the API key. Store the right one',
    ],
    [
      'the service asks to wait',
      { error: { kind: 'too-many-requests', message: 'look up message: too-many-requests (status 429)' } },
      'too-many-requests (status 429). The service asks to wait. Run the command again later, or lower lookups.requestsPerSecond',
    ],
    [
      'the service is down',
      { error: { kind: 'timeout', message: 'look up message: timeout' } },
      'look up message: timeout. The service may be down. Run the command again later',
    ],
    [
      'the secret does not exist',
      { error: { kind: 'api-key-missing', message: 'The secret x does not exist. Create it.' } },
      'error: The secret x does not exist. Create it.\n',
    ],
    [
      'the pipeline has no lookups',
      new MissingOutput('no output'),
      'This pipeline has no lookups. Set sms:lookups to on',
    ],
    ['another version answers', { sum: 1 }, 'deploy (or npm start) from the same version'],
  ])('says what to do if %s', async (_, answer, problem) => {
    const { sms } = lookupAnswering(answer);
    const { code, out, err } = await sms('lookup', '--message', 'm');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(problem);
  });
});

describe('the check of lookups', () => {
  const now = Date.parse('2026-01-16T12:00:00.000Z');
  const upToDate = {
    'list after 30 min': '2026-01-16T11:20:00.000Z',
    'list after 1440 min': '2026-01-15T11:50:00.000Z',
  };
  const days = (listed: number, missing: number, changed: number) => ({
    '2026-01-13': { listed: 9, missing: 9, changed: 0 },
    '2026-01-14': { listed, missing, changed },
    // This day is not complete.
    '2026-01-15': { listed: 1, missing: 1, changed: 0 },
  });

  it.each([
    [
      'nothing lost',
      { days: days(1204, 0, 0), doneUntil: upToDate },
      'ok',
      'the service lists 1204 messages: 0 were missing here',
    ],
    [
      'few reports lost',
      { days: days(1204, 2, 1), doneUntil: upToDate },
      'ok',
      '2 were missing here, 1 had another state',
    ],
    ['many reports lost', { days: days(1000, 40, 1), doneUntil: upToDate }, 'warn', '40 were missing here'],
    ['no run yet', { days: {}, doneUntil: {} }, 'ok', 'no run has ended yet'],
    ['no whole day yet', { days: {}, doneUntil: upToDate }, 'ok', 'they are up to date'],
    [
      'late',
      { days: {}, doneUntil: { 'pending after 15 min': '2026-01-16T07:00:00.000Z' } },
      'warn',
      '"pending after 15 min" is 4 h 45 min late',
    ],
    [
      'no run that did anything',
      { days: {}, doneUntil: {}, stoppedBy: 'unauthorized (status 401)' },
      'warn',
      'no run has done anything: unauthorized (status 401)',
    ],
    [
      'a last run that the service refused',
      { days: {}, doneUntil: upToDate, stoppedBy: 'server (status 503)' },
      'warn',
      'the last run ended early: server (status 503)',
    ],
    [
      'a last run that was out of time',
      { days: {}, doneUntil: upToDate, stoppedBy: 'time' },
      'ok',
      'they are up to date',
    ],
    [
      'whole days',
      { days: {}, doneUntil: { 'list after 30 min': '2026-01-16T00:00:00.000Z' } },
      'ok',
      'they are up to date',
    ],
  ])('judges a pipeline with %s', (_, status, state, text) => {
    const verdict = judgeLookups(status, now);
    expect(verdict.state).toBe(state);
    expect(verdict.found).toContain(text);
  });
});
