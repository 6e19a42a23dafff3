import { describe, expect, it } from 'vitest';
import { playScenario, type Scenario } from '../../../../../tools/drills/alarms/scenario.ts';

const alarm = {
  id: 'Errors',
  metric: 'Errors',
  series: 'AWS/Lambda/Errors/FunctionName=f',
  statistic: 'Sum',
  threshold: 3,
  periodSeconds: 60,
  page: 'A page',
} as const;

/** A site of which a scenario says itself what its metric is. */
function site() {
  const values: { at: number; value: number }[] = [];
  return {
    count: (value: number, afterMs = 0) => void values.push({ at: Date.now() + afterMs, value }),
    monitor: {
      highest: (_: unknown, since: number) => {
        const own = values.filter(({ at }) => at >= since);
        return own.length === 0 ? undefined : own.reduce((sum, { value }) => sum + value, 0);
      },
      poll: async () => {},
    },
  };
}

type Played = Scenario<ReturnType<typeof site>>['play'];

const play = async (played: Played) => {
  const [row] = await playScenario({ alarms: ['Errors'], how: 'so', play: played }, site(), [alarm]);
  return row;
};

const failed = { deadlineMs: 50 };

describe('a scenario', () => {
  it('succeeds when the alarm went off, the runbook page was followed, and the metric then stayed quiet', async () => {
    const row = await play(async ({ site: { count }, fired, step, fixed }) => {
      count(3);
      await fired();
      await step('fix it', () => {});
      await fixed();
    });
    expect(row).toMatchObject({ value: 3, steps: ['fix it'], failure: undefined });
  });

  it.each<[string, Played, RegExp]>([
    [
      'the metric stays below the threshold',
      async ({ site: { count }, fired }) => {
        count(2);
        await fired(failed);
      },
      /Errors reaches 3/,
    ],
    [
      'the scenario did not check whether it went off, and it did not',
      async ({ fixed }) => fixed(),
      /did not reach the threshold/,
    ],
    [
      'it goes on after the fix',
      async ({ site: { count }, fired, fixed }) => {
        count(3);
        await fired();
        await fixed();
        count(3, 1000);
      },
      /went on: 3/,
    ],
    [
      'nothing was fixed',
      async ({ site: { count }, fired }) => {
        count(3);
        await fired();
      },
      /nothing was fixed/,
    ],
    [
      'a step of the page does not work',
      async ({ site: { count }, fired, step }) => {
        count(3);
        await fired();
        await step('dlq list', () => {
          throw new Error('exit code 1');
        });
      },
      /^at "dlq list": exit code 1$/,
    ],
  ])('has failed where %s', async (_, played, failure) => {
    expect((await play(played))?.failure).toMatch(failure);
  });

  it('undoes its trouble where it fails, the last first, and reports failed cleanups', async () => {
    const undone: string[] = [];
    const row = await play(async ({ undo }) => {
      undo(() => undone.push('first'));
      undo(() => Promise.reject(new Error('still hung')));
      undo(() => undone.push('last'));
      throw new Error('no');
    });
    expect(undone).toEqual(['last', 'first']);
    expect(row?.failure).toBe('no; could not be undone: still hung');
  });

  it('undoes nothing where it succeeds', async () => {
    const undone: string[] = [];
    const row = await play(async ({ site: { count }, fired, fixed, undo }) => {
      undo(() => undone.push('succeeded'));
      count(3);
      await fired();
      await fixed();
    });
    expect([row?.failure, undone]).toEqual([undefined, []]);
  });
});
