import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from './support/harness.ts';

describe('help', () => {
  it.each(commandLine().commands())(
    'of $words has an example first, and fits on a screen',
    async ({ words }) => {
      const { code, out, err } = await commandLine({ terminal: { columns: 100 } }).sms(
        ...words.split(' '),
        '--help',
      );
      expect([code, err]).toEqual([0, '']);
      const lines = out.split('\n');
      expect(lines.indexOf('Examples:')).toBeLessThanOrEqual(3);
      expect(lines.find((line) => line.includes(` ${words}`))).toBeDefined();
      expect(out).toContain(`Usage: sms ${words}`);
      expect(lines.length - 1).toBeLessThanOrEqual(25);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    },
  );

  it.each([
    'lists',
    'targets',
    ...commandLine()
      .commands()
      .map(({ words }) => words),
  ])('in detail of %s fits in 100 columns', async (words) => {
    const { code, out } = await commandLine({ terminal: { columns: 100 } }).sms('help', ...words.split(' '));
    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  it.each([
    [['help', 'message', 'get'], 0, 'Usage: sms message get'],
    [
      ['help', 'person', 'erase'],
      0,
      '\nAn erasure leaves a receipt without the number: person receipt <id>.\n',
    ],
    [['help', 'lists'], 0, '--since and --until take ISO 8601'],
    [['help', 'message', 'gett'], 2, 'There is no command "sms message gett". Did you mean sms message get?'],
    [['help', 'nothing'], 2, 'Expected one of these after sms: message, number,'],
  ])('%j answers', async (words, code, text) => {
    const answer = await commandLine().sms(...words);
    expect(answer.code).toBe(code);
    expect(answer.out + answer.err).toContain(text);
  });

  it('lists the commands, and shows the version', async () => {
    const { sms } = commandLine();
    const help = await sms('--help');
    expect(help.code).toBe(0);
    for (const name of ['history', 'replies', 'opt-out', 'list', 'quarantine', 'webhook', 'send'])
      expect(help.out).toContain(name);
    expect(await sms('--version')).toEqual({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      err: '',
    });
  });

  it.each([{ args: [] }, { args: ['message'] }])(
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
    [['mesage', 'get', 'x'], 'There is no command "sms mesage". Did you mean sms message get?'],
    [['messages'], 'Did you mean sms message get, sms message follow, sms message list'],
    [['history', 'message', 'x'], 'Did you mean sms message get,'],
    [['history', 'send', 'x'], 'Did you mean sms send list, sms send show, sms send follow?'],
    [['replies', '--local'], 'Did you mean sms reply list?'],
    [['get', 'x'], 'Did you mean sms message get?'],
    [['replay', '--since', '1h'], 'Did you mean sms quarantine replay, sms events replay?'],
    [
      ['--local', '--dir', 'my run', 'message', 'get', 'x'],
      "--local is in front of the command. Options follow it: sms message get x --local --dir 'my run'",
    ],
    [['figures'], 'Expected one of these after sms: message, number,'],
    [['strt'], 'Did you mean sms start?'],
    [['start', '--prot', '4100'], "unknown option '--prot'"],
    [['message', 'show', 'x'], 'Did you mean sms message get?'],
    [['reply', 'stats'], 'Expected one of these after sms reply: list.'],
    [['contract', 'capture', 'start'], 'Expected one of these after sms contract capture: on, off, status.'],
    [['message', 'get'], "missing required argument 'id'\nFor example: sms message get msg-0001\n"],
    [['message', 'get', 'x', '--json', 'nosuch'], '"nosuch" is not a field. Expected one or more of these'],
    [['message', 'get', '--json', 'x'], 'Without fields, --json comes last.'],
    [['message', 'get', 'x', '--localy'], '(Did you mean --local?)'],
    [['use', 'nonsense'], 'Expected local, local:<folder>, <profile>/<region>/<prefix of the stacks>'],
    [['init', '--preset', 'nosuch'], 'Allowed choices are 8x8,'],
    [
      ['init', '--preset', 'vonage'],
      'the preset "vonage" is now vonage-messages or vonage-sms, one for each',
    ],
    [['message', 'get', ' '], 'Expected a non-empty text'],
    [['number', 'show', '--local'], "missing required argument 'number'"],
    [['message', 'get', 'a', 'b'], 'too many arguments'],
    [['message', 'get', 'a', '--colour'], "unknown option '--colour'"],
    [['number', 'show', '1', '--limit', '0'], 'Expected a whole number from 1 to 1000'],
    [['number', 'show', '1', '--limit', 'all'], 'Expected a whole number from 1 to 1000'],
    [['message', 'get', 'a', '--local', '--region', 'us-east-1'], "cannot be used with option '--local'"],
    [['reply', 'list', '--all', '--limit', '5'], "'--all' cannot be used with option '--limit <count>'"],
    [['reply', 'list', '--json', '--csv'], "cannot be used with option '--"],
    [['reply', 'list', '--follow', '--all'], "'--follow' cannot be used with option '--all'"],
    [
      ['reply', 'list', '--follow', '--cursor', 'x'],
      "'--follow' cannot be used with option '--cursor <cursor>'",
    ],
    [
      ['reply', 'list', '--follow', '--until', '2h'],
      "'--follow' cannot be used with option '--until <time>'",
    ],
    [
      ['message', 'list', '--state', 'pending', '--follow', '--status', 'sent'],
      '--status cannot be used with --follow',
    ],
    [['quarantine', 'list', '--reason', 'badtime'], 'Allowed choices are empty-body, '],
    [['webhook', 'rotate', '--overlap', '0'], "unknown option '--overlap'"],
    [['webhook', 'reconcile', '--force'], "unknown option '--force'"],
    [['webhook', 'test', '--kind', 'call'], 'Allowed choices are status, reply'],
    [['reply', 'list', '--since', '1h', '--until', '2h'], '--since must be before --until.'],
    [
      ['message', 'list', '--since', '2030-01-01'],
      'error: --since is in the future. Give a time that has passed',
    ],
    [['reply', 'list', '--until', 'soon'], '--until "soon" is not a valid time'],
    [['number', 'show', 'banana'], '"banana" is not a phone number'],
    [['number', 'show', '202-555-0143'], 'with --country US'],
    [['number', 'show', '77', '--country', 'BR'], 'as it is written in BR'],
    [['number', 'show', '202-555-0143', '--country', 'Utopia'], '--country "Utopia" is not a country'],
    [['number', 'show', ' ', '--as-written'], 'Expected a non-empty number'],
    [['message', 'export', '--csv'], '--since is required.'],
    [['message', 'export', '--since', '2h'], '--csv or --jsonl'],
    [['message', 'export', '--since', '2h', '--csv', '--jsonl'], 'cannot be used with'],
    [['person', 'export', 'a name'], 'is not a phone number'],
    [['person', 'export', '+1', '--as-written'], 'too short to search for'],
    [['person', 'erase', '+12025550143', '--dry-run', '--confirm'], 'cannot be used with'],
    [['person', 'erase', 'x', '--confirm'], 'is not a phone number'],
    [['person', 'erase', 'AB', '--as-written', '--confirm'], 'too short to search for'],
    [['person', 'erase', '+12025550143', '--as-written', 'ab', '--confirm'], 'expects one text'],
    [['events', 'replay', '--rule', 'r', '--since', '1h', '--until', '2h'], '--since must be before --until'],
    [
      ['events', 'replay', '--rule', 'r', '--since', '1h', '--until', '2026-01-15T12:00:01Z'],
      '--until must not be in the future',
    ],
    [['quarantine', 'replay', '--reason', 'anything'], 'Allowed choices are empty-body, '],
    [['quarantine', 'replay', '--id', 'x', '--since', '1d'], 'cannot be used with'],
    [['dead-letter', 'redrive'], "missing required argument 'queue'"],
    [['dead-letter', 'redrive', ''], 'Expected a non-empty text'],
    [['dead-letter', 'redrive', 'x', '--limit', '0'], 'Expected a whole number from 1'],
    [['dead-letter', 'show', '--limit', '501'], 'Expected a whole number from 1 to 500'],
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
    expect(err).toMatch(/^sms [a-z -]*--help shows the (?:commands|accepted options)\.$/m);
    expect(err).not.toContain('    at ');
  });
});

describe('an unexpected error', () => {
  const connection = { history: () => Promise.reject(new TypeError('x is not a function')) };

  it('is shown without its stack trace', async () => {
    const { code, out, err } = await commandLine({ connection }).sms('message', 'get', 'm', '--json');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('unexpected error: x is not a function');
    expect(err).toContain('DEBUG=1');
    expect(err).not.toContain('    at ');
  });

  it('is shown with its stack trace with DEBUG=1', async () => {
    const { code, err } = await commandLine({ connection, terminal: { debug: true } }).sms(
      'message',
      'get',
      'm',
    );
    expect(code).toBe(1);
    expect(err).toMatch(/unexpected error: TypeError: x is not a function\n {4}at /);
  });

  it('is shown even if it is not an Error', async () => {
    const odd = { history: () => Promise.reject('odd') };
    expect((await commandLine({ connection: odd }).sms('message', 'get', 'm')).err).toContain(
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
