import { expect, it } from 'vitest';
import type { FunctionGrant } from '../../../../../local/iam/access.ts';
import type { PermissionFile } from '../../../../../local/iam/permission-file.ts';
import { tryGrants } from '../../../../../tools/drills/grants/try-grants.ts';

interface Behaviour {
  /** Calls that a function makes when it does its exercise, as `<function> <action>`. */
  readonly calls: readonly string[];
  /** Calls that Lambda makes for it all the time. */
  readonly lambdaCalls?: readonly string[];
  /** The grant that an exercise fails without, denied or not. */
  readonly needs?: readonly string[];
  /** Functions whose exercises fail anyway. */
  readonly broken?: readonly string[];
}

/** Functions that behave like this, and what was taken from them. */
function scene({ calls, lambdaCalls = [], needs = [], broken = [] }: Behaviour) {
  const nameOf = ({ function: name, action }: FunctionGrant) => `${name} ${action}`;
  let withheld: readonly FunctionGrant[] = [];
  const denied = new Map<string, number>();
  const rounds: string[][] = [];
  const call = (made: readonly string[]) => {
    for (const grant of withheld) {
      const name = nameOf(grant);
      if (made.includes(name)) denied.set(name, (denied.get(name) ?? 0) + 1);
    }
  };
  const read = async (): Promise<PermissionFile> => ({
    functions: [...denied].map(([text, times]) => {
      const [name = '', action = ''] = text.split(' ');
      return { name, granted: [], denied: [{ action, resource: 'any', times }] };
    }),
  });
  const run = async (name: string) => {
    call(calls.filter((each) => each.startsWith(`${name} `)));
    const missing = withheld.map(nameOf).find((grant) => needs.includes(grant));
    return { failure: broken.includes(name) ? 'broken' : missing };
  };
  const permissions = {
    read,
    withhold: async (grants: readonly FunctionGrant[]) => {
      withheld = grants;
      if (grants.length > 0) rounds.push(grants.map(nameOf));
      call(lambdaCalls);
    },
  };
  const trial = { permissions, run, insist: run, say: () => {} };
  return { trial, rounds, isAllGivenBack: () => withheld.length === 0 };
}

const grant = (name: string, action: string): FunctionGrant => ({ function: name, action, resource: 'any' });

it('distinguishes grants that Lambda misses, that a function misses, and that nothing misses', async () => {
  const { trial, rounds, isAllGivenBack } = scene({
    calls: ['worker a:Used', 'ingest a:Used'],
    lambdaCalls: ['worker a:Polled'],
  });
  const verdicts = await tryGrants(trial, [
    grant('worker', 'a:Used'),
    grant('worker', 'a:Polled'),
    grant('worker', 'a:Idle'),
    grant('ingest', 'a:Used'),
  ]);
  expect(verdicts.map(({ grant: { function: name, action }, noticed }) => [name, action, noticed])).toEqual([
    ['worker', 'a:Used', 'by a denied call'],
    ['ingest', 'a:Used', 'by a denied call'],
    ['worker', 'a:Polled', 'by Lambda'],
    ['worker', 'a:Idle', 'survived'],
  ]);
  expect(rounds).toEqual([
    ['worker a:Used', 'ingest a:Used'],
    ['worker a:Polled'],
    ['worker a:Idle'],
    ['worker a:Idle'],
  ]);
  expect(isAllGivenBack()).toBe(true);
});

it.each<[string, Behaviour, readonly FunctionGrant[], readonly string[]]>([
  [
    'fails for what another function lacks proves nothing',
    { calls: ['worker a:Used'], needs: ['worker a:Used'] },
    [grant('worker', 'a:Used'), grant('ingest', 'a:Idle')],
    ['by a denied call', 'survived'],
  ],
  [
    'fails alone without a grant misses it',
    { calls: [], needs: ['ingest a:Needed'] },
    [grant('ingest', 'a:Needed')],
    ['by its exercise alone'],
  ],
  [
    'fails with the grant as well proves nothing',
    { calls: [], broken: ['ingest'] },
    [grant('ingest', 'a:Needed')],
    ['survived'],
  ],
])('an exercise that %s', async (_, behaviour, grants, noticed) => {
  const verdicts = await tryGrants(scene(behaviour).trial, grants);
  expect(verdicts.map((verdict) => verdict.noticed)).toEqual(noticed);
});
