import { describe, expect, it } from 'vitest';
import { playScenario, type Scenario } from '../../../../../tools/drills/alarms/scenario.ts';

const alarm = {
  id: 'Errors',
  metrics: [{ series: 'AWS/Lambda/Errors/FunctionName=f', statistic: 'Sum', periodSeconds: 60 }],
  members: [],
  threshold: 3,
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
    sms: async () => 'printed',
    expectLogged: () => {},
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
    const row = await play(async ({ site: { count }, fired, step, sms, fixed }) => {
      count(3);
      await fired();
      await step('fix it', () => {});
      await sms('dead-letter list', 'print');
      await fixed();
    });
    expect(row).toEqual({ alarm, value: 3, failure: undefined });
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
      async ({ site: { count }, fired, sms }) => {
        count(3);
        await fired();
        await sms('dead-letter list', 'none');
      },
      /^at "sms dead-letter list: none": expected "none" in: printed$/,
    ],
  ])('has failed where %s', async (_, played, failure) => {
    expect((await play(played))?.failure).toMatch(failure);
  });

  it.each([
    ['undoes its trouble where it fails, the last first, and reports failed cleanups', true],
    ['undoes nothing where it succeeds', false],
  ])('%s', async (_, fails) => {
    const undone: string[] = [];
    const row = await play(async ({ site: { count }, fired, fixed, undo }) => {
      await undo(() => undone.push('first'));
      await undo(() => Promise.reject(new Error('still hung')));
      await undo(Promise.resolve(() => undone.push('last')));
      count(3);
      await fired();
      if (fails) throw new Error('no');
      await fixed();
    });
    expect(undone).toEqual(fails ? ['last', 'first'] : []);
    expect(row?.failure).toBe(fails ? 'no; could not be undone: still hung' : undefined);
  });
});
