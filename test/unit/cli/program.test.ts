import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from './support/harness.ts';

describe('help', () => {
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
});

describe('wrong usage', () => {
  it.each([
    [['mesage', 'get', 'x'], 'There is no command "sms mesage". Did you mean sms message get?'],
    [['messages'], 'Did you mean sms message get, sms message list, sms message export'],
    [['replay', '--since', '1h'], 'Did you mean sms quarantine replay, sms events replay?'],
    [
      ['--local', '--dir', 'my run', 'message', 'get', 'x'],
      "--local is in front of the command. Options follow it: sms message get x --local --dir 'my run'",
    ],
    [['message', 'get'], "missing required argument 'id'\nFor example: sms message get msg-0001\n"],
    [['message', 'get', 'x', '--json', 'nosuch'], '"nosuch" is not a field. Expected one or more of these'],
    [['message', 'get', '--json', 'x'], 'Without fields, --json comes last.'],
    [['message', 'get', 'x', '--localy'], '(Did you mean --local?)'],
    [['target', 'nonsense'], 'Expected local, local:<folder> or <profile>/<region>/<stack>'],
    [['init', '--preset', 'nosuch'], 'Allowed choices are 46elks,'],
    [
      ['init', '--preset', 'vonage'],
      'the preset "vonage" is now vonage-messages or vonage-sms, one for each',
    ],
    [['message', 'get', ' '], 'Expected a non-empty text'],
    [['message', 'get', 'a', 'b'], 'too many arguments'],
    [['number', 'show', '1', '--limit', '0'], 'Expected a whole number from 1 to 1000'],
    [['message', 'get', 'a', '--local', '--region', 'us-east-1'], "cannot be used with option '--local'"],
    [['reply', 'list', '--all', '--limit', '5'], "'--all' cannot be used with option '--limit <count>'"],
    [['reply', 'list', '--json', '--csv'], "cannot be used with option '--"],
    [
      ['message', 'list', '--state', 'pending', '--follow', '--status', 'sent'],
      '--status cannot be used with --follow',
    ],
    [['quarantine', 'list', '--reason', 'badtime'], 'Allowed choices are empty-body, '],
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
    [['person', 'export', 'a name'], 'is not a phone number'],
    [['person', 'export', '+1', '--as-written'], 'too short to search for'],
    [['person', 'erase', '+12025550143', '--dry-run', '--confirm'], 'cannot be used with'],
    [['person', 'erase', 'AB', '--as-written', '--confirm'], 'too short to search for'],
    [['person', 'erase', '+12025550143', '--as-written', 'ab', '--confirm'], 'expects one text'],
    [['events', 'replay', '--rule', 'r', '--since', '1h', '--until', '2h'], '--since must be before --until'],
    [
      ['events', 'replay', '--rule', 'r', '--since', '1h', '--until', '2026-01-15T12:00:01Z'],
      '--until must not be in the future',
    ],
    [['quarantine', 'replay', '--id', 'x', '--since', '1d'], 'cannot be used with'],
    [['quarantine', 'replay', '--ids-file', 'x.csv', '--reason', 'bad-time'], 'cannot be used with'],
    [['dead-letter', 'show', '--limit', '501'], 'Expected a whole number from 1 to 500'],
    [['contract', 'capture', 'on', '--for', '1441m'], 'from 1m to 24h'],
    [['contract', 'drift', '--since', '2026-02-01'], 'is in the future'],
    [['contract', 'test', '--file', '-', '--secret-file', '-'], 'may be used once'],
    [['contract', 'discover', '--file', 'x', '--from-quarantine'], 'cannot be used with'],
    [['webhook', 'store-secret', 'whsec_x'], 'too many arguments'],
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
    [[], { local: false, directory: '.local', stack: 'SmsPipeline' }],
    [['--local'], { local: true, directory: '.local', stack: 'SmsPipeline' }],
    [['--dir', 'there', '--stack', 'Mine'], { local: true, directory: resolve('there'), stack: 'Mine' }],
    [
      ['--region', 'sa-east-1', '--profile', 'p'],
      { local: false, directory: '.local', stack: 'SmsPipeline', region: 'sa-east-1', profile: 'p' },
    ],
  ])('is the one that %j names', async (options, target) => {
    const { sms, targets } = commandLine({ connection });
    await sms('webhook', 'status', ...options);
    expect(targets).toEqual([target]);
  });
});
