import { describe, expect, it } from 'vitest';
import { parseOptions } from '../../../../local/run/options.ts';
import { UserError } from '../../../../local/terminal/terminal.ts';

describe('parseOptions', () => {
  it('accepts several settings, with = in their values', () => {
    const { context, port, demo } = parseOptions(
      ['-c', 'sms:a=1', '-c', 'sms:b=x=y', '--port', '5000', '--demo'],
      '/home/caller',
    );
    expect([context, port, demo]).toEqual([{ 'sms:a': '1', 'sms:b': 'x=y' }, 5000, true]);
  });

  it('resolves a relative --dir against the folder of the caller', () => {
    expect(parseOptions(['--dir', 'run'], '/home/caller').directory).toBe('/home/caller/run');
    expect(parseOptions(['--dir', '/run'], '/home/caller').directory).toBe('/run');
  });

  it.each([
    [['--port', 'abc'], '--port expects a number'],
    [['--port', '5996'], '--port 5996 uses port 6000'],
    [['--port', '65532'], '--port expects a number from 1 to 65531'],
    [['-c', 'sms:a'], '-c expects key=value, not sms:a'],
    [['--prot', '4'], "Unknown option '--prot' (see --help)"],
    [['extra'], 'extra'],
    [['--demo', '--no-demo'], 'exclude each other'],
    [['--demo', '--sample'], 'exclude each other'],
  ])('reports the error of %j in one line', (args, message) => {
    expect(() => parseOptions(args, '/home/caller')).toThrow(UserError);
    expect(() => parseOptions(args, '/home/caller')).toThrow(message);
    expect(() => parseOptions(args, '/home/caller')).toThrow(/^[^\n]+$/);
  });
});
