import { describe, expect, it } from 'vitest';
import { parseOptions } from '../../../local/options.ts';
import { UserError } from '../../../local/user-error.ts';

describe('parseOptions', () => {
  it('plays the demonstration and stays up on port 4000 when nothing is said', () => {
    expect(parseOptions([])).toEqual({
      port: 4000,
      demo: false,
      demonstrate: true,
      context: {},
      directory: '.local',
      help: false,
    });
  });

  it('takes settings as cdk does, several of them, with = in their values', () => {
    const { context, port, demo } = parseOptions([
      '-c',
      'sms:a=1',
      '-c',
      'sms:b=x=y',
      '--port',
      '5000',
      '--demo',
    ]);
    expect([context, port, demo]).toEqual([{ 'sms:a': '1', 'sms:b': 'x=y' }, 5000, true]);
  });

  it.each([
    [['--port', 'abc'], '--port expects a number'],
    [['--port', '65532'], '--port expects a number from 1 to 65531'],
    [['-c', 'sms:a'], '-c expects key=value, not sms:a'],
    [['--prot', '4'], "Unknown option '--prot' (see --help)"],
    [['extra'], 'extra'],
    [['--demo', '--no-demo'], 'exclude each other'],
  ])('says in one line what is wrong with %j', (args, message) => {
    expect(() => parseOptions(args)).toThrow(UserError);
    expect(() => parseOptions(args)).toThrow(message);
    expect(() => parseOptions(args)).toThrow(/^[^\n]+$/);
  });
});
