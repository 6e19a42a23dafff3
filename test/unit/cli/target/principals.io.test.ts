import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IAMClient } from '@aws-sdk/client-iam';
import { afterAll, expect, it } from 'vitest';
import { createPrincipals } from '../../../../cli/target/stack/principals.ts';

const asked: URLSearchParams[] = [];
const answers: Readonly<Record<string, (query: URLSearchParams) => string>> = {
  ListRoles: (query) =>
    query.has('Marker')
      ? '<ListRolesResult><Roles><member><Path>/aws-service-role/a/</Path><Arn>arn:aws:iam::1:role/aws-service-role/a/B</Arn></member></Roles><IsTruncated>false</IsTruncated></ListRolesResult>'
      : '<ListRolesResult><Roles><member><Path>/</Path><Arn>arn:aws:iam::1:role/Support</Arn></member></Roles><IsTruncated>true</IsTruncated><Marker>more</Marker></ListRolesResult>',
  ListUsers: () =>
    '<ListUsersResult><Users><member><Path>/staff/</Path><Arn>arn:aws:iam::1:user/staff/ann</Arn></member></Users><IsTruncated>false</IsTruncated></ListUsersResult>',
  // As IAM's API reference shows both: a result for each resource, and one with the results of its resources.
  SimulatePrincipalPolicy: () =>
    `<SimulatePrincipalPolicyResult><IsTruncated>false</IsTruncated><EvaluationResults>
      <member><EvalActionName>dynamodb:Query</EvalActionName><EvalResourceName>table/a</EvalResourceName><EvalDecision>allowed</EvalDecision><MissingContextValues/></member>
      <member><EvalActionName>dynamodb:Scan</EvalActionName><EvalResourceName>table/a</EvalResourceName><EvalDecision>implicitDeny</EvalDecision>
        <MissingContextValues><member>aws:SourceIp</member></MissingContextValues></member>
      <member><EvalActionName>sqs:ReceiveMessage</EvalActionName><EvalDecision>implicitDeny</EvalDecision><ResourceSpecificResults>
        <member><EvalResourceName>queue/a</EvalResourceName><EvalResourceDecision>explicitDeny</EvalResourceDecision></member>
        <member><EvalResourceName>queue/b</EvalResourceName><EvalResourceDecision>allowed</EvalResourceDecision></member>
      </ResourceSpecificResults></member>
    </EvaluationResults></SimulatePrincipalPolicyResult>`,
};
const server = createServer(async (request, response) => {
  const query = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
  asked.push(query);
  const action = query.get('Action') ?? '';
  response.setHeader('content-type', 'text/xml');
  response.end(
    `<${action}Response xmlns="https://iam.amazonaws.com/doc/2010-05-08/">${answers[action]?.(query)}</${action}Response>`,
  );
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());

const { port } = server.address() as AddressInfo;
const principals = createPrincipals(
  new IAMClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  }),
);

it('roles and users are listed over all pages, without the roles of services', async () => {
  expect(await principals.list()).toEqual([
    { arn: 'arn:aws:iam::1:role/Support', name: 'role/Support' },
    { arn: 'arn:aws:iam::1:user/staff/ann', name: 'user/staff/ann' },
  ]);
});

it('each action is judged on each resource, also where a condition decides', async () => {
  const principal = { arn: 'arn:aws:iam::1:role/Support', name: 'role/Support' };
  const judgements = await principals.judge(principal, ['dynamodb:Query'], ['table/a']);
  expect(judgements).toEqual([
    { action: 'dynamodb:Query', resource: 'table/a', decision: 'allowed' },
    { action: 'dynamodb:Scan', resource: 'table/a', decision: 'condition' },
    { action: 'sqs:ReceiveMessage', resource: 'queue/a', decision: 'denied' },
    { action: 'sqs:ReceiveMessage', resource: 'queue/b', decision: 'allowed' },
  ]);
  expect(asked.at(-1)?.get('PolicySourceArn')).toBe(principal.arn);
});
