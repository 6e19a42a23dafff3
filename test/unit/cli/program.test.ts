import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from './support/harness.ts';

describe('help', () => {
  const commands = ['history message', 'replies', 'quarantine show', 'replay', 'webhook rotate', 'send'];

  it.each(commands)('%s has examples, exit codes and the common options', async (command) => {
    const { code, out, err } = await commandLine().sms(...command.split(' '), '--help');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`Usage: npm run -s sms -- ${command}`);
    for (const part of ['Examples:', 'Exit codes:', '--local', '--json', '--prefix', '--region'])
      expect(out).toContain(part);
  });

  it('lists the commands, and shows the version', async () => {
    const { sms } = commandLine();
    const help = await sms('--help');
    expect(help.code).toBe(0);
    for (const name of ['history', 'replies', 'optouts', 'quarantine', 'webhook', 'send'])
      expect(help.out).toContain(name);
    expect(await sms('--version')).toEqual({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      err: '',
    });
  });

  it.each([{ args: [] }, { args: ['history'] }])(
    'is shown on stderr when a command is missing: $args',
    async ({ args }) => {
      const { code, out, err } = await commandLine().sms(...args);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('Commands:');
    },
  );
});

describe('wrong usage', () => {
  it.each([
    [['histroy'], '(Did you mean history?)'],
    [['history', 'message'], "missing required argument 'id'"],
    [['history', 'message', ' '], 'Expected a non-empty text'],
    [['history', 'phone', '--local'], "missing required argument 'number'"],
    [['history', 'message', 'a', 'b'], 'too many arguments'],
    [['history', 'message', 'a', '--colour'], "unknown option '--colour'"],
    [['history', 'phone', '1', '--limit', '0'], 'Expected a whole number from 1 to 1000'],
    [['history', 'phone', '1', '--limit', 'all'], 'Expected a whole number from 1 to 1000'],
    [['history', 'message', 'a', '--local', '--region', 'us-east-1'], "cannot be used with option '--local'"],
    [['replies', '--all', '--limit', '5'], "'--all' cannot be used with option '--limit <count>'"],
    [['replies', '--json', '--csv'], "cannot be used with option '--"],
    [['replies', '--follow', '--all'], "'--follow' cannot be used with option '--all'"],
    [['replies', '--follow', '--cursor', 'x'], "'--follow' cannot be used with option '--cursor <cursor>'"],
    [['replies', '--follow', '--until', '2h'], "'--follow' cannot be used with option '--until <time>'"],
    [['history', 'send', 's', '--follow', '--status', 'sent'], "cannot be used with option '--follow'"],
    [['quarantine', 'list', '--reason', 'badtime'], 'Allowed choices are empty-body, '],
    [['webhook', 'rotate', '--overlap', '0'], "unknown option '--overlap'"],
    [['webhook', 'reconcile', '--force'], "unknown option '--force'"],
    [['send', '--kind', 'call'], 'Allowed choices are status, reply'],
    [
      ['replies', '--since', '1h', '--until', '2h'],
      'since (2026-01-15T11:00:00.000Z) has to be before until (',
    ],
    [['replies', '--until', 'soon'], '--until "soon" is not a valid time'],
    [['history', 'phone', 'banana'], '"banana" is not a phone number'],
    [['history', 'phone', '202-555-0143'], 'with --country US'],
    [['history', 'phone', '77', '--country', 'BR'], 'as it is written in BR'],
    [['history', 'phone', '202-555-0143', '--country', 'Utopia'], '--country "Utopia" is not a country'],
    [['history', 'phone', ' ', '--as-written'], 'Expected a non-empty number'],
    [['export', '--csv'], '--since is required.'],
    [['export', '--since', '2h'], '--csv or --jsonl'],
    [['export', '--since', '2h', '--csv', '--jsonl'], 'cannot be used with'],
    // Where it would have no effect.
    [['export', '--out', 'a.jsonl', 'phone', '+12025550143'], '--out is before "phone"'],
    [['export', '--dir', '.other', '--prefix', 'Other', 'phone', '+12025550143'], '--dir is before "phone"'],
    [['export', '--since', '2h', 'phone', '+12025550143'], '--since is before "phone"'],
    [['export', 'phone', 'a name'], 'is not a phone number'],
    [['export', 'phone', '+1', '--as-written'], 'too short to search for'],
    [['erase', 'phone', '+12025550143'], '--dry-run lists what would be deleted and changes nothing, --yes'],
    [['erase', 'phone', '+12025550143', '--dry-run', '--yes'], 'cannot be used with'],
    [['erase', 'phone', 'x', '--yes'], 'is not a phone number'],
    [['erase', 'phone', 'AB', '--as-written', '--yes'], 'too short to search for'],
    [['replay', '--rule', 'r', '--from', '1h', '--to', '2h'], '--from must be before --to'],
    [
      ['replay', '--rule', 'r', '--from', '1h', '--to', '2026-01-15T12:00:01Z'],
      '--to must not be in the future',
    ],
    [['quarantine', 'replay', '--reason', 'anything'], 'Allowed choices are empty-body, '],
    [['quarantine', 'replay', '--id', 'x', '--since', '1d'], 'cannot be used with'],
    [['dlq', 'redrive'], "missing required argument 'queue'"],
    [['dlq', 'redrive', ''], 'Expected a non-empty text'],
    [['dlq', 'redrive', 'x', '--limit', '0'], 'Expected a whole number from 1'],
    [['dlq', 'show', '--limit', '501'], 'Expected a whole number from 1 to 500'],
    [['contract', 'capture', 'on', '--for', '0m'], 'from 1m to 24h'],
    [['contract', 'capture', 'on', '--for', '1441m'], 'from 1m to 24h'],
    [['contract', 'diff', '--against', 'history'], '--against'],
    [['contract', 'drift', '--since', '2026-02-01'], 'is in the future'],
    [['contract', 'test', '--file', '-', '--secret-file', '-'], 'may be used once'],
    [['contract', 'test', '--all', '--file', 'x'], 'cannot be used with'],
    [['contract', 'test', '--secret-file', 'x', '--secret', 'y'], 'cannot be used with'],
    [['contract', 'discover', '--file', 'x', '--from-quarantine'], 'cannot be used with'],
    [['webhook', 'store-secret', 'whsec_x'], 'too many arguments'],
    [['webhook', 'store-secret', '--secret', 'whsec_x'], "unknown option '--secret'"],
  ])('%j exits with 2 and a line on stderr', async (args, line) => {
    const { code, out, err } = await commandLine().sms(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(line);
    expect(err).toContain('Add --help');
    expect(err).not.toContain('    at ');
  });
});

describe('an unexpected error', () => {
  const connection = { history: () => Promise.reject(new TypeError('x is not a function')) };

  it('is shown without its stack trace', async () => {
    const { code, out, err } = await commandLine({ connection }).sms('history', 'message', 'm', '--json');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('unexpected error: x is not a function');
    expect(err).toContain('DEBUG=1');
    expect(err).not.toContain('    at ');
  });

  it('is shown with its stack trace with DEBUG=1', async () => {
    const { code, err } = await commandLine({ connection, terminal: { debug: true } }).sms(
      'history',
      'message',
      'm',
    );
    expect(code).toBe(1);
    expect(err).toMatch(/unexpected error: TypeError: x is not a function\n {4}at /);
  });

  it('is shown even if it is not an Error', async () => {
    const odd = { history: () => Promise.reject('odd') };
    expect((await commandLine({ connection: odd }).sms('history', 'message', 'm')).err).toContain(
      'unexpected error: odd',
    );
  });
});

describe('the queried pipeline', () => {
  const connection = { invokeSetup: async () => ({ error: { kind: 'k', message: 'm' } }) };

  it.each([
    [[], { local: false, directory: '.local', prefix: 'SmsPipeline' }],
    [['--local'], { local: true, directory: '.local', prefix: 'SmsPipeline' }],
    [['--dir', 'there', '--prefix', 'Mine'], { local: true, directory: resolve('there'), prefix: 'Mine' }],
    [
      ['--region', 'sa-east-1', '--profile', 'p'],
      { local: false, directory: '.local', prefix: 'SmsPipeline', region: 'sa-east-1', profile: 'p' },
    ],
  ])('is the one that %j names', async (options, target) => {
    const { sms, targets } = commandLine({ connection });
    await sms('webhook', 'status', ...options);
    expect(targets).toEqual([target]);
  });
});
