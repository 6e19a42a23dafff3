import { describe, expect, it } from 'vitest';
import { memoryHistory } from '../../../../support/fakes/history.ts';
import { commandLine, historyOf, message, noonPlus, reply } from '../../support/harness.ts';

const reason = ['--reason', 'called +1 202 555 0199'];
const add = ['opt-out', 'add', '+1', '202', '555', '0143', ...reason];
const remove = ['opt-out', 'remove', '+12025550143', '--reason', 'asked by mail'];
const entryId = '00000001-0000-4000-8000-000000000000';

describe('opt-out add and remove', () => {
  it('win over a reply of the same second', async () => {
    const before = { phone: '+12025550143', at: noonPlus(900), by: 'person' as const, replyId: 'r-1' };
    const { sms } = commandLine({ connection: historyOf([], [], [before]) });
    expect((await sms('number', 'show', '+12025550143')).out).toContain(
      '•••0143: opted out since 2026-01-15 09:00:00 -03:00 (reply r-1)\n\n',
    );
    expect(JSON.parse((await sms(...remove, '--json')).out)).toEqual({
      before: { state: 'out', phone: before.phone, since: before.at, by: 'person' as const, replyId: 'r-1' },
      after: {
        state: 'in',
        phone: before.phone,
        since: noonPlus(901),
        by: 'operator',
        entryId,
        reason: 'asked by mail',
        recordedBy: 'assumed-role/Support/ann',
      },
    });
  });

  it('do not count after a STOP whose time is ahead of the clock, and say so', async () => {
    const ahead = { phone: '+12025550143', at: noonPlus(240_000), by: 'person' as const, replyId: 'r-1' };
    const { sms } = commandLine({ connection: historyOf([], [], [ahead]) });
    const { code, out, err } = await sms(...remove);
    expect(code).toBe(1);
    expect(out).toMatch(/Now +opted out/);
    expect(err).toContain(
      'it does not count: the register has the opposite with the time 2026-01-15 09:04:00 -03:00, which is ahead of the clock. Repeat the command after that time.',
    );
  });

  it('keep who recorded it, which lists and the number show', async () => {
    const { sms } = commandLine({ connection: historyOf([]) });
    await sms(...add);
    const origin = 'by hand, recorded by assumed-role/Support/ann: called •••0199';
    expect((await sms('number', 'show', '+12025550143')).out).toContain(origin);
    const stored = {
      phone: '+12025550143',
      at: noonPlus(0),
      by: 'operator' as const,
      entryId,
      reason: 'called +1 202 555 0199',
      recordedBy: 'assumed-role/Support/ann',
    };
    const { sms: list } = commandLine({ connection: historyOf([], [], [stored]) });
    expect((await list('opt-out', 'list')).out).toContain(origin);
    expect((await list('opt-out', 'list', '--csv', '--reveal')).out).toContain(
      ',called +1 202 555 0199,assumed-role/Support/ann\r\n',
    );
  });

  it('are recorded without a name if AWS gives none, and say so', async () => {
    const connection = { ...historyOf([]), caller: async () => ({ person: undefined, now: undefined }) };
    const { code, out, err } = await commandLine({ connection }).sms(...add);
    expect([code, err]).toEqual([
      0,
      'AWS (sts:GetCallerIdentity) did not name you, so the entry has no name, and the time of this machine.\n',
    ]);
    expect(out).toContain('(by hand: called •••0199)');
  });

  it('have the time of AWS, so that a clock that is ahead makes no later STOP lose', async () => {
    const now = Date.parse(noonPlus(0)) - 2 * 3_600_000;
    const caller = async () => ({ person: 'assumed-role/Support/ann', now });
    const { code, out, err } = await commandLine({ connection: { ...historyOf([]), caller } }).sms(
      ...remove,
      '--json',
    );
    expect(JSON.parse(out).after).toMatchObject({ state: 'in', since: new Date(now).toISOString() });
    expect([code, err]).toEqual([
      0,
      'The clock of this machine is wrong by 2 h, so the entry has the time of AWS. Correct the clock.\n',
    ]);
  });

  it('count for all sources, or for the one that is named where opt-outs count by source', async () => {
    const bySource = () => {
      const register = memoryHistory({ optOutsBySource: true }).optOutAccess;
      return {
        ...commandLine({ connection: { ...historyOf([]), optOuts: async () => register } }),
        register,
      };
    };
    const ofMain = await bySource().sms(...add, '--source', 'main', '--json');
    expect(JSON.parse(ofMain.out).after).toMatchObject({ state: 'out', outOf: ['main'] });
    const { sms, register } = bySource();
    const ofAll = await sms(...add, '--json');
    expect(JSON.parse(ofAll.out).after).toMatchObject({ state: 'out', outOfAllExcept: [] });
    expect((await sms(...remove, '--source', 'backup')).out).toMatch(
      /Before +opted out of all sources since .*\nNow +opted out of all sources except backup since/,
    );
    expect(await register.number('+12025550143')).toMatchObject({ outOfAllExcept: ['backup'] });
    const shared = commandLine({ connection: historyOf([]) });
    expect(await shared.sms(...add, '--source', 'backup')).toMatchObject({
      code: 2,
      err: expect.stringContaining('An opt-out counts for all sources of this pipeline: leave --source out.'),
    });
  });

  it('name the provider that reported the opt-out before', async () => {
    const failed = {
      phone: '+12025550143',
      at: noonPlus(0),
      by: 'provider' as const,
      messageId: 'm-1',
    };
    const { sms } = commandLine({ connection: historyOf([], [], [failed]) });
    const origin = 'by the provider: message m-1 failed';
    expect((await sms('number', 'show', '+12025550143')).out).toContain(`(${origin})`);
    expect((await sms('opt-out', 'list')).out).toContain(origin);
    expect((await sms('opt-out', 'list', '--reveal', '--csv')).out).toBe(
      `phone,since,by,replyId,entryId,messageId,reason,recordedBy\r\n+12025550143,${noonPlus(0)},provider,,,m-1,,\r\n`,
    );
    const { before, after } = JSON.parse((await sms(...remove, '--json')).out);
    expect([before.by, before.messageId, after.by]).toEqual(['provider', 'm-1', 'operator']);
    expect((await sms('number', 'show', '+12025550143')).out).toContain('opted in again');
  });

  it.each([
    ['a reply', historyOf([], [reply('r-1', 5, 'Yes')], [])],
    ['a report', historyOf([message('m-1', [{ status: 'sent', second: 0, phone: '+5215512345678' }])])],
    [
      'the register',
      historyOf(
        [],
        [],
        [{ phone: '+5215512345678', at: noonPlus(0), by: 'person' as const, replyId: 'r-1' }],
      ),
    ],
  ])('keep the spelling of the number that %s has', async (_source, connection) => {
    const typed = _source === 'a reply' ? '+12025550143' : '+525512345678';
    const { out } = await commandLine({ connection }).sms('opt-out', 'add', typed, ...reason, '--json');
    expect(JSON.parse(out).after.phone).toBe(typed === '+12025550143' ? typed : '+5215512345678');
  });

  it.each([
    [['opt-out', 'add', '+12025550143'], "required option '--reason <text>' not specified"],
    [[...add.slice(0, -1), ' '], 'Expected a non-empty text'],
    [[...add.slice(0, -1), 'x'.repeat(501)], '--reason has 501 characters'],
    [['opt-out', 'add', 'somebody', ...reason], 'is not a phone number'],
  ])('refuse as wrong usage %j', async (args, line) => {
    const { code, out, err } = await commandLine().sms(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(line);
  });
});
