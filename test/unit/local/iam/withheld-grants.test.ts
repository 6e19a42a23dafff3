import { expect, it } from 'vitest';
import { WithheldGrants } from '../../../../local/iam/withheld-grants.ts';
import { allow, callerOf, silentAccess } from '../../../support/gateway.ts';

const stream = 'arn:aws:dynamodb:us-east-1:000000000000:table/History/stream/2026-01-15';
const grant = {
  function: 'publisher',
  action: 'dynamodb:GetRecords',
  resource: stream.replace('2026-01-15', '*'),
};

function settings() {
  const access = silentAccess();
  access.set(callerOf('publisher', allow('dynamodb:GetRecords', stream)));
  const denial = () =>
    access.denialOf('Publisher', [{ action: 'dynamodb:GetRecords', resource: stream }]) !== undefined;
  return { withheld: new WithheldGrants(access), access, denial };
}

it('the control withholds a grant of permissions.json and shows the denials', () => {
  const { withheld, access, denial } = settings();
  withheld.replace({ grants: [grant] });
  expect(denial()).toBe(true);
  expect(withheld.state).toEqual(access.report());
  expect(withheld.state).toMatchObject({
    functions: [{ name: 'publisher', denied: [{ action: 'dynamodb:GetRecords', times: 1 }] }],
  });
  withheld.replace({ grants: [] });
  expect(denial()).toBe(false);
});

it.each([
  ['another function', { ...grant, function: 'worker' }],
  ['another action', { ...grant, action: 'dynamodb:DescribeStream' }],
  ['another resource', { ...grant, resource: '*' }],
])('a grant that no function has is rejected: %s', (_, odd) => {
  const { withheld, denial } = settings();
  expect(() => withheld.replace({ grants: [grant, odd] })).toThrow('is not granted');
  expect(denial()).toBe(false);
});
