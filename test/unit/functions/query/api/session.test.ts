import { expect, it } from 'vitest';
import { roles } from '../../../../../functions/query/api/caller.ts';
import { sessionOf } from '../../../../../functions/query/api/session.ts';

const contracts = [{ source: 'main', hash: 'c0ffee12beef', service: 'Acme SMS', delivered: ['DELIVRD'] }];

it('a session names the pipeline, and what the role of its user may do', () => {
  const sessions = roles.map((role) =>
    sessionOf({ kind: 'user', id: 'user-1', person: 'ann', role }, 'Shop', ['main', 'backup'], contracts),
  );
  expect(sessions.map(({ role, canReveal, canReplay }) => [role, canReveal, canReplay])).toEqual([
    ['viewer', false, false],
    ['support', true, false],
    ['operator', true, true],
  ]);
  expect(sessions[0]).toMatchObject({
    pipeline: 'Shop',
    sources: ['main', 'backup'],
    contracts,
    place: 'deployed',
    masked: true,
  });
  expect(JSON.stringify(sessions)).not.toContain('user-1');
});
