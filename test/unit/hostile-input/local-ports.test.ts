import assert from 'node:assert/strict';
import fc from 'fast-check';
import { handleAwsJson } from '../../../local/aws-protocol/aws-json.ts';
import { decodedPath, selectRoute } from '../../../local/services/api-gateway/routes.ts';
import { EventBridge, eventBridgeOperations } from '../../../local/services/event-bridge/api.ts';
import { eventBridgeRoutes } from '../../../local/services/event-bridge/control-endpoint.ts';
import { lambdaRoutes } from '../../../local/services/lambda/api.ts';
import { AsyncInvocations } from '../../../local/services/lambda/functions.ts';
import { SecretsManager } from '../../../local/services/secrets-manager/api.ts';
import { callListener } from '../../support/in-memory-http.ts';
import { fakeRetryClock, inMemoryFunction, registryOf } from '../../support/local-lambda.ts';
import { inMemorySandbox } from '../local/sms-service/sandbox-under-test.ts';
import { fuzz } from './fuzz.ts';
import {
  changedJson,
  hostileBodies,
  hostileHeaders,
  hostileQueries,
  hostileSegments,
  type JsonChange,
  jsonChanges,
  mostly,
} from './hostile-requests.ts';
import { hostileJson, hostileTexts, magicNames } from './hostile-values.ts';
import { assertShowsNoInsides } from './watch.ts';

const token = '00000000-0000-4000-8000-000000000000';
const event = { Source: 'a', DetailType: 'b', Detail: '{"a":1}', EventBusName: 'default', Time: 1768478405 };

/** A good input of each operation. */
const operations: Readonly<Record<string, unknown>> = {
  'secretsmanager.CreateSecret': { Name: 'b', SecretString: 's', ClientRequestToken: token },
  'secretsmanager.PutSecretValue': { SecretId: 'a', SecretString: 's', VersionStages: ['AWSPENDING'] },
  'secretsmanager.GetSecretValue': { SecretId: 'a', VersionStage: 'AWSCURRENT' },
  'secretsmanager.DescribeSecret': { SecretId: 'a' },
  'secretsmanager.ListSecrets': {},
  'secretsmanager.ListSecretVersionIds': { SecretId: 'a', IncludeDeprecated: true },
  'secretsmanager.UpdateSecretVersionStage': { SecretId: 'a', VersionStage: 'x', MoveToVersionId: token },
  'AWSEvents.PutEvents': { Entries: [event, event] },
  'AWSEvents.DescribeEventBus': { Name: 'default' },
  'AWSEvents.ListRules': { EventBusName: 'default', NamePrefix: 'a' },
  'AWSEvents.DescribeRule': { Name: 'a', EventBusName: 'default' },
  'AWSEvents.ListTargetsByRule': { Rule: 'a', EventBusName: 'default' },
  'AWSEvents.DescribeArchive': { ArchiveName: 'a' },
  'AWSEvents.ListArchives': { NamePrefix: 'a' },
  'AWSEvents.StartReplay': {
    ReplayName: 'r',
    EventSourceArn: 'arn:aws:events:us-east-1:000000000000:archive/a',
    EventStartTime: 0,
    EventEndTime: 1,
    Destination: { Arn: 'arn:aws:events:us-east-1:000000000000:event-bus/default' },
  },
  'AWSEvents.DescribeReplay': { ReplayName: 'r' },
};

const names = Object.keys(operations);

interface AwsAttempt {
  readonly target: string;
  /** Of the good input of the operation. */
  readonly changes: readonly JsonChange[];
  /** Base64, in place of the input; null: the changed input. */
  readonly body: string | null;
}

fuzz<AwsAttempt>(
  'aws-protocol',
  {
    inputs: fc.record({
      target: mostly(
        fc.constantFrom(...names),
        fc.oneof(hostileTexts, fc.constantFrom(...magicNames, 'secretsmanager.', 'AWSEvents.__proto__')),
      ),
      changes: jsonChanges(
        fc.oneof(
          hostileJson,
          fc.constantFrom('"a"', '"default"', '1e300', '-1', '"AWSCURRENT"', '"{"', '[]'),
        ),
      ),
      body: fc.option(hostileBodies, { freq: 8 }),
    }),
    async attempt({ target, changes, body }) {
      const secrets = new SecretsManager(() => 1_768_478_405);
      secrets.operations.get('CreateSecret')?.({ Name: 'a', SecretString: 's', ClientRequestToken: token });
      const bus = new EventBridge({ clock: fakeRetryClock(), random: () => 0.99, note: () => {} });
      const known = new Map([
        ...[...secrets.operations].map(([name, one]) => [`secretsmanager.${name}`, one] as const),
        ...eventBridgeOperations(bus),
      ]);
      const input = operations[names.find((name) => name === target) ?? ''] ?? {};
      const { status, text } = await callListener(
        (request, response) => handleAwsJson(known, request, response),
        {
          method: 'POST',
          headers: { 'x-amz-target': target },
          body: body === null ? JSON.stringify(changedJson(input, changes)) : Buffer.from(body, 'base64'),
        },
      );
      assert(status === 200 || status === 400, `answered ${status} ${text}`);
      if (status === 400) assertShowsNoInsides('the answer', text.replaceAll('received undefined', ''));
      return String(status);
    },
  },
  ['200', '400'],
);

const methods = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD');

interface PortAttempt {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const named = (one: string) => new RegExp(`^${one}$`);
const lambdaPaths = fc.oneof(
  fc.constantFrom(
    '/2015-03-31/functions/function-under-test/invocations',
    '/2017-10-31/functions/function-under-test/concurrency',
    '/2015-03-31/functions/function-under-test/configuration',
    '/local/lambda/metrics',
    '/local/lambda/faults',
    '/local/event-bridge/events?after=1',
    '/local/event-bridge/events?after=-1',
    '/local/event-bridge/faults',
  ),
  hostileSegments.map((name) => `/2015-03-31/functions/${name}/invocations`),
  hostileSegments.map((name) => `/2017-10-31/functions/${name}/concurrency`),
);
const settings = fc
  .tuple(
    fc.constantFrom(
      { functions: { 'function-under-test': { failBefore: 1, killAfterMs: 1 } } },
      { ReservedConcurrentExecutions: 1 },
      { Timeout: 3, Environment: { Variables: { A: 'b' } } },
      { fail: 1, share: 0.5 },
    ),
    jsonChanges(),
  )
  .map(([json, changes]) => Buffer.from(JSON.stringify(changedJson(json, changes)) ?? '').toString('base64'));

fuzz<PortAttempt>(
  'local-lambda',
  {
    inputs: fc.record({
      method: methods,
      path: lambdaPaths,
      headers: fc
        .tuple(hostileHeaders, fc.constantFrom(undefined, 'Event', 'RequestResponse', 'DryRun', '__proto__'))
        .map(([headers, type]) => ({
          ...headers,
          ...(type !== undefined && { 'x-amz-invocation-type': type }),
        })),
      body: fc.oneof(settings, hostileBodies),
    }),
    async attempt({ method, path, headers, body }) {
      const clock = fakeRetryClock();
      const target = inMemoryFunction((given: unknown) => given);
      const functions = registryOf(target);
      const lambda = { functions, asyncInvocations: new AsyncInvocations(clock, () => {}) };
      const bus = new EventBridge({ clock, random: () => 0.99, note: () => {} });
      const routes = [...lambdaRoutes(lambda), ...eventBridgeRoutes(bus)];
      const [plain = ''] = path.split('?');
      const route = routes.find(
        (one) => (one.method ?? method) === method && one.path.test(plain) && !named('').test(plain),
      );
      if (route === undefined) {
        await target.pool.stop();
        return 'no route';
      }
      const { status, text } = await callListener(
        (request, response) => route.answer(route.path.exec(plain)?.[1] ?? '', request, response),
        { method, path, headers, body: Buffer.from(body, 'base64') },
      );
      await target.pool.stop();
      assert(status < 500, `answered ${status} ${text}`);
      if (status >= 400) assertShowsNoInsides('the answer', text.replaceAll('received undefined', ''));
      return String(status);
    },
  },
  ['200', '400', '404'],
);

const sandboxPaths = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '/v1/auth/token',
      '/v1/webhook',
      '/v1/webhooks',
      '/v1/contacts/store',
      '/v1/billing/cards',
      '/sandbox/cards',
      '/sandbox/webhook',
      '/sandbox/faults',
    ),
  },
  { weight: 1, arbitrary: fc.array(hostileSegments, { maxLength: 3 }).map((parts) => `/${parts.join('/')}`) },
);

const sandboxBodies = fc
  .tuple(
    fc.constantFrom<unknown>(
      { api_key: 'the-api-key-of-the-test' },
      { url: 'https://a.example/webhooks', events: ['sms.status'], name: 'a' },
      { cards: [{ last4: '4242', exp_month: 1, exp_year: 2027 }] },
      { contacts: [{ phone: '+12025550143', unsubscribed: true }] },
      { failAnswers: 1, delayMs: 0 },
    ),
    jsonChanges(),
  )
  .map(([json, changes]) => Buffer.from(JSON.stringify(changedJson(json, changes)) ?? '').toString('base64'));

fuzz<PortAttempt & { readonly query: string; readonly isAuthorized: boolean }>(
  'sandbox',
  {
    inputs: fc.record({
      method: methods,
      path: sandboxPaths,
      query: fc.oneof(fc.constant(''), hostileQueries),
      headers: hostileHeaders,
      isAuthorized: fc.boolean(),
      body: fc.oneof(sandboxBodies, hostileBodies),
    }),
    async attempt({ method, path, query, headers, isAuthorized, body }) {
      const sandbox = inMemorySandbox({ clock: () => Date.UTC(2026, 0, 15, 12) });
      const own = isAuthorized ? { authorization: `Bearer ${await sandbox.exchange()}` } : {};
      const target = query === '' ? path : `${path}?${query}`;
      const { status, json } = await sandbox.call(method, target, Buffer.from(body, 'base64').toString(), {
        ...headers,
        ...own,
      });
      const text = JSON.stringify(json) ?? '';
      assert(status < 500, `answered ${status} ${text}`);
      if (status >= 400) assertShowsNoInsides('the answer', text.replaceAll('received undefined', ''));
      return String(status);
    },
  },
  ['200', '400', '401', '404'],
);

fuzz<{ readonly method: string; readonly target: string }>(
  'local-routes',
  {
    inputs: fc.record({
      method: methods,
      target: fc.array(hostileSegments, { maxLength: 5 }).map((parts) => parts.join('/')),
    }),
    attempt({ method, target }) {
      const keys = [
        'ANY /webhooks/sms',
        'ANY /webhooks/sms/{proxy+}',
        'ANY /v1/{proxy+}',
        'POST /{a}/{b}',
        '$default',
      ];
      const routes = keys.map((key) => ({ key, target: key }));
      for (const path of [target, `/webhooks/sms/${target}`, `/v1/${target}`]) {
        const match = selectRoute(routes, method, decodedPath(path));
        assert(match !== undefined, 'no route');
        for (const [name, value] of Object.entries(match.pathParameters))
          assert(typeof name === 'string' && typeof value === 'string');
      }
      return 'routed';
    },
  },
  ['routed'],
);
