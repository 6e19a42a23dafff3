import { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { describe, expect, it } from 'vitest';
import { contractSchema } from '../../../contract/schema/contract-schema.ts';
import { Automation, Contract, type SmsPipelineProps, Target } from '../../../lib/public/index.ts';
import { contract, problemsOf, stackWith } from '../support/own-pipeline.ts';

/** URLs that would carry a key in clear text, or that would show it in the template. */
const unsafe = [
  'http://api.sms-service.test',
  'https://user@api.sms-service.test',
  'https://user:password@api.sms-service.test',
  'https://api.sms-service.test?key=abc',
  'https://api.sms-service.test/#abc',
];

describe.each(unsafe)('%s', (url) => {
  it.each<[string, Partial<SmsPipelineProps>]>([
    ['serviceBaseUrl', { serviceBaseUrl: url }],
    ['automations.forward.url', { automations: [Automation.forward({ url })] }],
  ])('is refused as %s', (prop, props) => {
    expect(problemsOf(props)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${prop}: found something else \\(not shown: it may hold a key\\), expected an https URL`,
        ),
      ),
    ]);
  });

  it('is refused as an address in the contract, which does not repeat it', () => {
    const { service } = contract._document;
    const preset = Contract.preset('plivo-v3')._document;
    for (const [path, changed] of [
      ['service.baseUrl', { ...contract._document, service: { ...service, baseUrl: url } }],
      ['lookups.baseUrl', { ...preset, lookups: { ...preset.lookups, baseUrl: url } }],
    ] as const) {
      const { error } = contractSchema.safeParse(changed);
      const issue = error?.issues.find((one) => one.path.join('.') === path);
      expect(issue?.message).toMatch(/^expected an https URL/);
      expect(issue?.message).not.toContain(url);
    }
  });
});

it.each([
  'http://api.sms-service.test',
  'https://user:password@api.sms-service.test',
  'https://api.sms-service.test/a b',
])('%s is refused as the URL of an API destination', (url) => {
  const { stack } = stackWith();
  const keySecret = Secret.fromSecretNameV2(stack, 'Key', 'crm/key');
  expect(() =>
    Target.apiDestination({ url, keyHeader: 'x-api-key', keySecret, rateLimitPerSecond: 5 }),
  ).toThrow('url: found');
});

it.each(['https://api.sms-service.test/v1', 'http://127.0.0.1:4001', 'http://localhost:4001'])(
  '%s is an address of the SMS service',
  (serviceBaseUrl) => {
    expect(problemsOf({ serviceBaseUrl })).toEqual([]);
  },
);

it.each<[string, Partial<SmsPipelineProps>, string]>([
  [
    'no source that may send',
    { webhook: { allowedSources: [] } },
    'webhook.allowedSources: found an empty list, expected ranges of IP addresses as CIDR',
  ],
  [
    'no type of event to forward',
    { automations: [Automation.forward({ url: 'https://example.com', detailTypes: [] })] },
    'automations.forward.detailTypes: found an empty list, expected some of',
  ],
  [
    'a type of event that no automation of the pipeline publishes',
    {
      automations: [
        Automation.forward({
          url: 'https://example.com',
          detailTypes: ['SMS Billing Card Expiring'],
        }),
      ],
    },
    'automations.forward.detailTypes: found SMS Billing Card Expiring, expected published types only: this one needs Automation.billingWatch() among the automations',
  ],
  [
    'the address of the discovery document of a provider',
    {
      console: {
        oidc: { issuer: 'https://login.example.com/.well-known/openid-configuration', clientId: 'console' },
      },
    },
    'console.oidc.issuer: found https://login.example.com/.well-known/openid-configuration, expected the issuer',
  ],
  [
    'a domain of the console without its certificate',
    { console: { domain: { name: 'sms.example.com' } as never } },
    'console.domain.certificate: found nothing, expected a certificate of ACM',
  ],
])('%s is refused', (_, props, line) => {
  expect(problemsOf(props)).toEqual([expect.stringContaining(line)]);
});

describe('addresses from which no request can come', () => {
  const warning = Match.stringLikeRegexp('webhook.allowedSources.*no request can come from');
  it.each([[['10.0.0.0/8']], [['2001:db8::/32', '192.168.0.0/16']]])(
    'bring a warning: %j',
    (allowedSources) => {
      const { stack } = stackWith({ webhook: { allowedSources } });
      Annotations.fromStack(stack).hasWarning('/Shop/Sms', warning);
    },
  );

  it('bring a warning that names a further source', () => {
    const { stack, pipeline } = stackWith({ webhook: { allowedSources: ['10.0.0.0/8'] } });
    pipeline.addSource('backup', {
      contract: Contract.preset('vonage-sms'),
      webhook: { allowedSources: ['192.168.0.0/16'] },
    });
    const found = Annotations.fromStack(stack).findWarning('/Shop/Sms', warning);
    expect(found.map(({ entry }) => String(entry.data))).toEqual([
      expect.stringMatching(/^webhook.allowedSources has/),
      expect.stringMatching(/^webhook.allowedSources of the source backup has/),
    ]);
  });

  it('bring none beside an address from which one can', () => {
    const { stack } = stackWith({ webhook: { allowedSources: ['2001:db8::/32', '192.0.2.0/24'] } });
    Annotations.fromStack(stack).hasNoWarning('*', warning);
  });
});

describe('an address that no function reaches', () => {
  const warning = Match.stringLikeRegexp('automations.forward.url.*is a private address');
  const forwarding = (url: string, functions: SmsPipelineProps['functions'] = {}) =>
    Annotations.fromStack(stackWith({ automations: [Automation.forward({ url })], functions }).stack);

  it.each([
    'http://localhost:8090',
    'http://127.0.0.1:8090',
    'https://10.0.0.1/hook',
    'https://172.20.0.1/hook',
    'https://192.168.1.1/hook',
    'https://169.254.1.1/hook',
    'https://[::1]/hook',
    'https://[fd00::1]/hook',
  ])('brings a warning: %s', (url) => {
    forwarding(url).hasWarning('/Shop/Sms', warning);
  });

  it.each(['https://example.com/hook', 'https://172.32.0.1/hook', 'https://11.0.0.1/hook'])(
    'brings none for %s',
    (url) => {
      forwarding(url).hasNoWarning('*', warning);
    },
  );

  it('brings none in a VPC, unless it is that of the function itself', () => {
    const vpc = Vpc.fromVpcAttributes(new Stack(), 'Vpc', {
      vpcId: 'vpc-1',
      availabilityZones: ['us-east-1a'],
      privateSubnetIds: ['subnet-1'],
    });
    forwarding('https://10.0.0.1/hook', { vpc }).hasNoWarning('*', warning);
    forwarding('http://localhost:8090', { vpc }).hasWarning('/Shop/Sms', warning);
  });

  it('brings a warning for an API destination', () => {
    const { stack, pipeline } = stackWith();
    const keySecret = Secret.fromSecretNameV2(stack, 'CrmKey', 'crm/key');
    pipeline.events.onReply(
      Target.apiDestination({ url: 'https://localhost/', keyHeader: 'x', keySecret, rateLimitPerSecond: 5 }),
    );
    Annotations.fromStack(stack).hasWarning(
      '/Shop/Sms/Events/OnReplyApiDestination',
      Match.stringLikeRegexp('url.*is a private address'),
    );
  });
});
