import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../../../functions/base/sms-service/request.ts';
import {
  CustomResourceError,
  handleCustomResource,
  parseCustomResourceRequest,
} from '../../../../../functions/registration/setup/custom-resource.ts';
import { type SetupOutcome, serviceFailure } from '../../../../../functions/registration/setup/request.ts';
import { answer, hang, type Step } from '../../base/sms-service/scripted-server.ts';
import { reportOf, startScriptedSetup, webhookUrl } from './doubles/setup-under-test.ts';

const request = {
  RequestType: 'Create' as 'Create' | 'Update' | 'Delete',
  StackId: 'arn:aws:cloudformation:us-east-1:000000000000:stack/SmsPipeline/1',
  RequestId: 'request-1',
  LogicalResourceId: 'Registration',
  ResourceType: 'Custom::SmsWebhookRegistration',
  ResourceProperties: { WebhookUrl: webhookUrl },
};
const identity = {
  StackId: request.StackId,
  RequestId: 'request-1',
  LogicalResourceId: 'Registration',
  PhysicalResourceId: 'sms-webhook',
};
const done: SetupOutcome = ok(reportOf());
const broken = err({
  kind: 'network',
  message: 'exchange token: the SMS service could not be reached (ECONNREFUSED)',
});

/** CloudFormation's side of one request: what was run, and what it was answered. */
async function play(
  event: Partial<typeof request> & { PhysicalResourceId?: string },
  outcome: SetupOutcome,
  ...steps: readonly Step[]
) {
  const { server, ports, sleeps } = startScriptedSetup({
    'PUT /answer': steps.length > 0 ? steps : [answer(200)],
  });
  const ran: string[] = [];
  const run = async (action: string) => {
    ran.push(action);
    return outcome;
  };
  const whole = { ...request, ...event, ResponseURL: `${server.url}/answer?X-Amz-Signature=pre-signed` };
  const ended = await handleCustomResource(whole, run, ports).catch((error: unknown) => error);
  const answers = server.requests.map(({ body }): unknown => JSON.parse(body));
  return { ran, answers, ended, sleeps, requests: server.requests };
}

describe('parseCustomResourceRequest', () => {
  it.each([
    [undefined],
    [null],
    [{ action: 'status' }],
    [{ ...request, ResponseURL: 7 }],
    [{ ...request, RequestType: 'Move' }],
    [request],
  ])('finds no request in %j', (event) => {
    expect(parseCustomResourceRequest(event)).toBeUndefined();
  });
});

describe('handleCustomResource', () => {
  it.each(['Create', 'Update'] as const)('registers on %s and returns only the URL', async (RequestType) => {
    const { ran, answers } = await play({ RequestType }, done);
    expect(ran).toEqual(['register']);
    expect(answers).toEqual([{ Status: 'SUCCESS', Data: { RegisteredUrl: webhookUrl }, ...identity }]);
  });

  it.each(['Create', 'Update'] as const)(
    'succeeds on %s if registering fails, and reports why it is not registered yet: the schedule tries again',
    async (RequestType) => {
      const { ran, answers } = await play({ RequestType }, broken);
      const RegisteredUrl =
        'not registered yet: exchange token: the SMS service could not be reached (ECONNREFUSED)';
      expect(ran).toEqual(['register']);
      expect(answers).toEqual([{ Status: 'SUCCESS', Data: { RegisteredUrl }, ...identity }]);
    },
  );

  it('shows no reader of the stack the words of the service, which may hold a number', async () => {
    const error = serviceFailure({
      kind: 'validation',
      operation: 'set webhook',
      status: 422,
      body: '{"owner":"+12025550143"}',
    });
    expect(error.message).toContain('+12025550143');
    const { answers } = await play({}, err(error));
    const RegisteredUrl =
      'not registered yet: set webhook: the SMS service answered 422 (validation); sms webhook register shows its words';
    expect(answers).toMatchObject([{ Status: 'SUCCESS', Data: { RegisteredUrl } }]);
  });

  it('keeps the physical id: CloudFormation deletes a resource whose id has changed', async () => {
    const { answers } = await play(
      { RequestType: 'Update', PhysicalResourceId: 'made-by-cloudformation' },
      done,
    );
    expect(answers).toMatchObject([{ PhysicalResourceId: 'made-by-cloudformation' }]);
  });

  it('answers Delete with success even if the service cannot be reached', async () => {
    const { ran, answers } = await play({ RequestType: 'Delete' }, broken);
    expect(ran).toEqual(['deactivate']);
    expect(answers).toEqual([{ Status: 'SUCCESS', ...identity }]);
  });

  it('fits any reason into an answer of 4096 bytes', async () => {
    const { requests, answers } = await play(
      {},
      err({ kind: 'validation', message: 'é"\u0000\n'.repeat(5_000) }),
    );
    expect(Buffer.byteLength(requests[0]?.body ?? '')).toBeLessThan(4096);
    expect(answers).toMatchObject([
      { Status: 'SUCCESS', Data: { RegisteredUrl: expect.stringMatching(/^not registered yet: /) } },
    ]);
  });

  it('sends no content type: the address is signed without one', async () => {
    const { requests } = await play({}, done);
    expect(requests[0]?.headers).not.toHaveProperty('content-type');
  });

  it('retries an answer that CloudFormation did not receive', async () => {
    const { answers, ended, sleeps } = await play({}, done, answer(503), hang, answer(200));
    expect(answers).toHaveLength(3);
    expect(sleeps).toEqual([125, 250]);
    expect(ended).toBeUndefined();
  });

  it.each([
    ['is refused', answer(403), 1, 'CloudFormation did not accept the answer: refused (status 403)'],
    ['is never heard', hang, 3, 'CloudFormation did not accept the answer: timeout'],
  ])('fails without the address where the answer %s', async (_, step, tries, message) => {
    const { answers, ended } = await play({}, done, step);
    expect(answers).toHaveLength(tries);
    expect(ended).toEqual(new CustomResourceError(message));
  });
});
