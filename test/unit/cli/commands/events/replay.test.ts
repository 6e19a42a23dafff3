import { describe, expect, it } from 'vitest';
import type { Terminal, Wait } from '../../../../../cli/target/context.ts';
import type {
  EventArchive,
  ReplayAccess,
  ReplayRequest,
} from '../../../../../cli/target/stack/replay-access.ts';
import { commandLine, noonPlus } from '../../support/harness.ts';

const hour = 3_600_000;
const day = 24 * hour;

const archive: EventArchive = {
  arn: 'archive-arn',
  busArn: 'bus-arn',
  createdAt: noonPlus(-20 * day),
  retentionDays: 30,
};

const rule = (name: string, enabled = true) => ({ name, arn: `arn:${name}`, enabled });
const rules = [
  rule('SmsPipeline-AutomationsForwardRule1A2B'),
  rule('SmsPipeline-AutomationsOptOutRule3C4D'),
  rule('SmsPipeline-AutomationsOptInRule5E6F'),
  rule('Shop-OffRule', false),
  rule('Opt'),
];

/** A bus whose replays go through these states, the last one for good. */
function bus(
  states: readonly string[] = ['STARTING'],
  parts: Partial<ReplayAccess> = {},
  wait?: Wait,
  terminal: Partial<Terminal> = {},
) {
  const started: ReplayRequest[] = [];
  const left = [...states];
  const access: ReplayAccess = {
    rules: async () => rules,
    targets: async (name) => (name === 'Opt' ? [] : ['arn:aws:sqs:us-east-1:000000000000:forward']),
    archive: async () => archive,
    start: async (request) => {
      started.push(request);
    },
    progress: async () => ({
      state: (left.length > 1 ? left.shift() : left[0]) ?? '',
      reason: undefined,
      reachedAt: undefined,
    }),
    ...parts,
  };
  const line = commandLine({ connection: { replays: async () => access }, terminal, ...(wait && { wait }) });
  return { started, replay: (...args: string[]) => line.sms('events', 'replay', ...args) };
}

const range = ['--since', '2h', '--until', '1h'];
const name = 'sms-20260115T120000-00000001';

const plan = `Events   published from 2026-01-15 07:00:00 -03:00 to 2026-01-15 08:00:00 -03:00 that the rule matches
Rule     SmsPipeline-AutomationsForwardRule1A2B
Targets  arn:aws:sqs:us-east-1:000000000000:forward
`;

describe('replay', () => {
  it('sends the range only to the named rule', async () => {
    const { replay, started } = bus();
    const { code, out, err } = await replay(...range, '--rule', 'forward');
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(
      `${plan}\nStarted as ${name}.\nSTARTING\nIt continues by itself. To look again: aws events describe-replay --replay-name ${name}\n`,
    );
    expect(started).toEqual([
      {
        name,
        archive,
        ruleArn: 'arn:SmsPipeline-AutomationsForwardRule1A2B',
        since: noonPlus(-2 * hour),
        until: noonPlus(-hour),
      },
    ]);
  });

  it('shows each state once until it is completed', async () => {
    const { replay } = bus(['STARTING', 'RUNNING', 'RUNNING', 'COMPLETED'], {}, async () => true);
    const { code, out } = await replay(...range, '--rule', 'forward', '--follow');
    expect(code).toBe(0);
    expect(out.split('\n').slice(4)).toEqual([`Started as ${name}.`, 'STARTING', 'RUNNING', 'COMPLETED', '']);
  });

  it("fails with EventBridge's reason when the replay failed", async () => {
    const progress = async () => ({ state: 'FAILED', reason: 'no permission', reachedAt: undefined });
    const { replay } = bus([], { progress });
    const { code, err } = await replay(...range, '--rule', 'forward', '--follow');
    expect([code, err]).toEqual([1, `error: The replay ${name} ended as FAILED: no permission.\n`]);
  });

  it('leaves the replay running after Ctrl-C', async () => {
    const { replay } = bus(['RUNNING'], {}, async () => false);
    const { code, out } = await replay(...range, '--rule', 'forward', '--follow');
    expect(code).toBe(0);
    expect(out).toContain('It continues by itself.');
  });

  it('shows the states of a --json on a terminal, and no other output', async () => {
    const { replay } = bus(['RUNNING', 'COMPLETED'], {}, async () => true, { isWatched: true });
    const { err } = await replay(...range, '--rule', 'forward', '--follow', '--json');
    expect(err).toContain('RUNNING\nCOMPLETED\n');
  });

  it.each([
    [['--rule', 'Fwd'], /^error: No rule's name on the event bus contains "Fwd"/],
    [['--rule', 'optoutt'], /Its rules:\n {2}SmsPipeline-AutomationsOptOutRule3C4D\n/],
    [['--rule', 'automationsopt'], /^error: The names of 2 rules on the event bus contain "automationsopt"/],
    [['--rule', 'Shop'], /^error: The rule Shop-OffRule is disabled/],
    // The exact name wins over others that contain it.
    [['--rule', 'Opt'], /^error: The rule Opt has no target/],
  ])('starts nothing for %j', async (options, message) => {
    const { replay, started } = bus();
    const { code, err } = await replay(...range, ...options);
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(started).toEqual([]);
  });

  it.each([
    [
      ['--since', '31d', '--until', 'now'],
      'keeps events for 30 days (setting eventArchiveDays), so the earliest',
    ],
    [
      ['--since', '25d', '--until', '21d'],
      'The archive was created 2025-12-26 09:00:00 -03:00: it has no events of',
    ],
  ])('rejects a range that the archive does not have: %j', async (times, message) => {
    const { replay, started } = bus();
    const { code, err } = await replay(...times, '--rule', 'forward');
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(started).toEqual([]);
  });

  it("accepts the archive's whole retention, with a warning for a younger archive", async () => {
    const { replay } = bus();
    const { code, err } = await replay('--since', '30d', '--until', 'now', '--rule', 'forward', '--dry-run');
    expect(code).toBe(0);
    expect(err).toMatch(
      /^warning: The archive was created .*: it has no events that were published before\.\n$/,
    );
  });
});
