import { describe, expect, it } from 'vitest';
import { HostLimits } from '../../../../local/function-hosts/host-limits.ts';

describe('HostLimits', () => {
  it('limits the named functions and no others', () => {
    const limits = new HostLimits('worker:1,automations-forward:12');
    expect(limits.of('worker')).toBe(1);
    expect(limits.of('automations-forward')).toBe(12);
    expect(limits.of('ingest')).toBeUndefined();
    expect(() => limits.requireFound()).not.toThrow();
  });

  it('sets no limit without a setting', () => {
    const limits = new HostLimits(undefined);
    expect(limits.of('worker')).toBeUndefined();
    expect(() => limits.requireFound()).not.toThrow();
  });

  it('reports a function that does not exist', () => {
    const limits = new HostLimits('wroker:1');
    limits.of('worker');
    expect(() => limits.requireFound()).toThrow('there is no function wroker');
  });

  it.each(['worker', 'worker:0', 'worker:100', 'worker:two', ':1', '', 'worker:1,'])(
    'refuses "%s"',
    (text) => {
      expect(() => new HostLimits(text)).toThrow('local:hosts expects');
    },
  );
});
