import { expect, it } from 'vitest';
import {
  CustomResourceError,
  customResourceCreator,
  ResponseInbox,
} from '../../../../../local/services/custom-resources/resources.ts';
import { callListener, listenerOf } from '../../../../support/in-memory-http.ts';
import { inMemoryFunction, registryOf } from '../../../../support/local-lambda.ts';
import { resourceRequest } from '../../../../support/resource-request.ts';

const endpoint = 'http://127.0.0.1:4004';

interface Event {
  readonly ResponseURL: string;
  readonly ResourceProperties: { readonly Does?: string };
}

/** Creates a resource whose function does what the property `Does` says. */
function create(properties: object) {
  const responses = new ResponseInbox(endpoint);
  const answers = async ({ ResponseURL, ResourceProperties: { Does } }: Event) => {
    if (Does === 'throw') throw new Error('out of order');
    if (Does === 'nothing') return;
    const answer =
      Does === 'fail'
        ? { Status: 'FAILED', Reason: 'the service said no' }
        : { Status: 'SUCCESS', PhysicalResourceId: 'made', Data: { Made: 'yes' } };
    const request = { method: 'PUT', path: new URL(ResponseURL).pathname, body: JSON.stringify(answer) };
    await callListener(listenerOf(responses.routes), request);
  };
  const target = inMemoryFunction(answers);
  const request = resourceRequest('Custom::Webhook', { ServiceToken: target.arn, ...properties });
  const created = customResourceCreator(registryOf(target), responses)(request);
  return { created, target };
}

it('a custom resource is created by its function, which gets the event of CloudFormation', async () => {
  const { created, target } = create({ Url: 'http://x', Count: 3, Deep: { on: true } });
  expect(await created).toEqual({ ref: 'made', attributes: { Made: 'yes' } });
  expect(target.events).toEqual([
    {
      RequestType: 'Create',
      ServiceToken: target.arn,
      ResponseURL: expect.stringContaining(endpoint),
      StackId: expect.stringMatching(/^arn:aws:cloudformation:us-east-1:000000000000:stack\/Pipeline\//),
      RequestId: expect.any(String),
      ResourceType: 'Custom::Webhook',
      LogicalResourceId: 'Webhook',
      ResourceProperties: {
        ServiceToken: target.arn,
        Url: 'http://x',
        Count: '3',
        Deep: { on: 'true' },
      },
    },
  ]);
});

it.each([
  ['says that it failed', { Does: 'fail' }, 'the service said no'],
  ['throws', { Does: 'throw' }, 'out of order'],
  ['says nothing within its timeout', { Does: 'nothing', ServiceTimeout: '0' }, 'no answer within 0 s'],
])('a custom resource fails when its function %s', async (_, properties, reason) => {
  const { created } = create(properties);
  await expect(created).rejects.toThrow(CustomResourceError);
  await expect(created).rejects.toThrow(reason);
});
