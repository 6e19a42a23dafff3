import { CfnParameter, Duration, Stack } from 'aws-cdk-lib';
import { CertificateAuthority } from 'aws-cdk-lib/aws-acmpca';
import { Certificate, CertificateValidation, PrivateCertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { Automation, type SmsPipelineProps } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn, problemsOf, stackWith, twilioRegistration } from '../support/own-pipeline.ts';

const someTopic = Topic.fromTopicArn(new Stack(), 'Topic', 'arn:aws:sns:us-east-1:000000000000:ops');

it.each<[string, Partial<SmsPipelineProps>, string]>([
  [
    'retention',
    { retention: Duration.days(0) },
    'retention: found 0, expected a whole number of days from 1 to 3650',
  ],
  [
    'exports with a short recovery period',
    { exports: {}, tables: { recovery: Duration.days(7) } },
    'tables.recovery: found 7 days, expected at least 8 days: exports are made from the backups, and a run makes up for that many days',
  ],
  [
    'retention in hours',
    { retention: Duration.hours(36) },
    'retention: found Duration.hours(36), expected a whole number of days',
  ],
  [
    'a threshold within the batch window',
    {
      alarms: { topic: someTopic, overrides: { QueueBehind: { threshold: 120 } } },
      worker: { batchWindow: Duration.minutes(3) },
    },
    'alarms.overrides.QueueBehind.threshold: found 120 seconds, expected longer than worker.batchWindow',
  ],
  [
    'milliseconds in the place of seconds',
    { alarms: { topic: someTopic, overrides: { QueueBehind: { threshold: 300_000 } } } },
    'alarms.overrides.QueueBehind.threshold: found 300000, expected seconds, from 60 to 86400: for example 600',
  ],
  [
    'minutes in the place of seconds',
    { alarms: { topic: someTopic, overrides: { OptOutQueueBehind: { threshold: 15 } } } },
    'alarms.overrides.OptOutQueueBehind.threshold: found 15, expected seconds, from 60 to 86400',
  ],
  [
    'an age that no event of a queue reaches',
    { alarms: { topic: someTopic, overrides: { FailureAlertQueueBehind: { threshold: 2_000_000 } } } },
    'alarms.overrides.FailureAlertQueueBehind.threshold: found 2000000, expected seconds, from 60 to 1209600',
  ],
  [
    'a threshold within the period of an automation',
    {
      alarms: { topic: someTopic, overrides: { FailureAlertQueueBehind: { threshold: 3600 } } },
      automations: [Automation.failureAlert({ period: Duration.hours(10) })],
    },
    'alarms.overrides.FailureAlertQueueBehind.threshold: found 3600 seconds, expected longer than the period of Automation.failureAlert, which is 36000 seconds',
  ],
  [
    'a subscription in the place of its topic',
    {
      alarms: {
        topic: Topic.fromTopicArn(
          new Stack(),
          'Subscription',
          'arn:aws:sns:us-east-1:000000000000:ops:11111111-2222-3333-4444-555555555555',
        ),
      },
    },
    'expected a topic of SNS, for example Topic.fromTopicArn(this, id, arn)',
  ],
  [
    'an alarm that does not exist',
    { alarms: { topic: someTopic, overrides: { RequestRejected: { threshold: 5 } } } },
    'alarms.overrides.RequestRejected: not an alarm; did you mean RequestsRejected?',
  ],
  [
    'an alarm of another kind of value',
    { alarms: { topic: someTopic, overrides: { RequestsRejected: 50 as never } } },
    'alarms.overrides.RequestsRejected: found the number 50, expected an object with props',
  ],
  [
    'an override that does not exist',
    { alarms: { topic: someTopic, overrides: { RequestsRejected: { treshold: 5 } as never } } },
    'alarms.overrides.RequestsRejected.treshold: not a prop; did you mean alarms.overrides.RequestsRejected.threshold?',
  ],
  [
    'an override that is a text',
    { alarms: { topic: someTopic, overrides: { RequestsRejected: { enabled: 'no' as never } } } },
    'alarms.overrides.RequestsRejected.enabled: found a text, expected true or false',
  ],
  [
    'a threshold of 0',
    { alarms: { topic: someTopic, overrides: { RequestsRejected: { threshold: 0 } } } },
    'alarms.overrides.RequestsRejected.threshold: found 0, expected a whole number',
  ],
  [
    'datapoints without their periods',
    { alarms: { topic: someTopic, overrides: { SetupErrors: { datapointsToAlarm: 2 } } } },
    'alarms.overrides.SetupErrors.evaluationPeriods: found nothing, expected the number of periods',
  ],
  [
    'more datapoints than periods',
    {
      alarms: {
        topic: someTopic,
        overrides: { SetupErrors: { datapointsToAlarm: 3, evaluationPeriods: 2 } },
      },
    },
    'alarms.overrides.SetupErrors.datapointsToAlarm: found 3, expected at most 2',
  ],
  [
    'a threshold of a composite alarm',
    { alarms: { topic: someTopic, overrides: { EventsNotStored: { threshold: 2 } } } },
    'alarms.overrides.EventsNotStored.threshold: found 2, expected nothing',
  ],
  [
    'alarms.runbookUrl',
    { alarms: { topic: someTopic, runbookUrl: 'docs/operate/alarms.md' } },
    'alarms.runbookUrl: found docs/operate/alarms.md, expected the http(s) URL of docs/operate/alarms.md',
  ],
  [
    'an automation twice',
    { automations: [Automation.contactSync(), Automation.contactSync()] },
    'automations: found contactSync twice, expected each automation at most once',
  ],
  [
    'a URL with a key',
    { automations: [Automation.forward({ url: 'https://example.com/?key=abc' })] },
    'automations.forward.url: found something else (not shown: it may hold a key), expected an https URL',
  ],
  [
    'a URL that is none, with a key',
    { automations: [Automation.forward({ url: 'crm.example.com/sms?key=abc' })] },
    'automations.forward.url: found something else (not shown: it may hold a key), expected an https URL',
  ],
  [
    'alarms without a topic',
    { alarms: { page: someTopic } },
    'alarms.topic: found nothing, expected the topic of tickets, because there is one of pages',
  ],
  [
    'a name that does not exist',
    { retentionDays: 5 } as never,
    'retentionDays: not a prop; did you mean retention?',
  ],
  [
    'registration without a key',
    { apiKey: undefined as never },
    'apiKey: found nothing, expected the secret with the API key',
  ],
  [
    'rotation without registration',
    { registration: false, webhook: { rotateAfter: Duration.days(30) } },
    'webhook.rotateAfter: found 30, expected nothing',
  ],
  [
    'a rotation of a secret that the API of the registration does not have',
    { contract: twilioRegistration(), webhook: { rotateAfter: Duration.days(30) } },
    'webhook.rotateAfter: found 30 days, expected nothing: the API of "twilio-messaging-service" cannot replace',
  ],
  [
    'parking for a secret that the API of the registration does not have',
    { contract: twilioRegistration(), webhook: { alwaysParkUnverified: true } },
    'webhook.alwaysParkUnverified: found true, expected false',
  ],
  [
    'an automation that calls an API that the contract does not describe',
    { contract: twilioRegistration(), automations: [Automation.billingWatch()] },
    'automations: found billingWatch, expected no automation that calls the API of "service"',
  ],
  [
    'a watch without the counters that it reads',
    { insights: { enabled: false }, automations: [Automation.deliveryWatch()] },
    'automations: found deliveryWatch, expected no automation that reads the counters of insights',
  ],
  [
    'a capture without an end',
    { webhook: { captureUntil: '2099-01-01T00:00:00Z' } },
    'webhook.captureUntil: found 2099-01-01T00:00:00Z, expected a time in UTC at most 7 days ahead',
  ],
  [
    'a namespace of AWS',
    { metricsNamespace: 'AWS/Sms' },
    'metricsNamespace: found AWS/Sms, expected letters, digits, spaces',
  ],
  [
    'a tag that AWS keeps for itself, and one with a character that AWS refuses',
    { tags: { 'aws:team': 'shop', team: 'a*b', owner: 'crm' } },
    'tags: found aws:team=shop, team=a*b, expected key=value, for example team=shop: letters, digits, spaces',
  ],
  [
    'sources that are no ranges',
    { webhook: { allowedSources: ['192.0.2.0/24', 'nonsense', '192.0.2.1'] } },
    'webhook.allowedSources: found nonsense, 192.0.2.1, expected ranges of IP addresses as CIDR',
  ],
])('wrong props are named: %s', (_, props, problem) => {
  expect(problemsOf(props)).toEqual([expect.stringContaining(problem)]);
});

it('a switch that is a text is refused together with other values of another kind', () => {
  const switches = { repairDrift: 'report', alwaysParkUnverified: 'always' } as never;
  expect(problemsOf({ webhook: switches, tracing: 'on' as never, outputs: 'off' as never })).toEqual([
    'webhook.repairDrift: found a text, expected true or false',
    'webhook.alwaysParkUnverified: found a text, expected true or false',
    'tracing: found a text, expected true or false',
    'outputs: found a text, expected true or false',
  ]);
});

it.each(['cn-north-1', 'us-gov-west-1', 'eusc-de-east-1'])('a console is refused in %s', (region) => {
  const stack = new Stack(quickApp(), 'Shop', { env: { region } });
  expect(() => pipelineIn(stack, { console: {} })).toThrow(
    `console: found a stack in ${region}, expected no console outside of the standard regions`,
  );
});

it('all wrong props are named at once, below the path of the pipeline', () => {
  const wrong = { retention: Duration.days(0), listShards: 0 };
  expect(problemsOf(wrong)).toHaveLength(2);
  expect(() => stackWith(wrong)).toThrow('The props of the SMS pipeline Shop/Sms are wrong:');
});

describe('synth refuses what is in the wrong region', () => {
  const inIreland = (props: (scope: Stack) => Partial<SmsPipelineProps>) => {
    const stack = new Stack(quickApp(), 'Shop', { env: { account: '111111111111', region: 'eu-west-1' } });
    const { node } = pipelineIn(stack, { apiKey: keyIn(stack), ...props(stack) });
    return node.findAll().flatMap((child) => child.node.validate());
  };
  const keyIn = (stack: Stack) => Secret.fromSecretNameV2(stack, 'ApiKey', 'sms/api-key');
  const topicIn = (region: string) => `arn:aws:sns:${region}:111111111111:ops`;
  const certificateIn = (region: string) =>
    `arn:aws:acm:${region}:111111111111:certificate/0a1b2c3d-0000-0000-0000-000000000000`;
  const domainIn = (region: string) => (scope: Stack) => ({
    webhook: {
      domain: {
        name: 'sms.pipeline.test',
        certificate: Certificate.fromCertificateArn(scope, 'Cert', certificateIn(region)),
      },
    },
  });
  it('a topic of alarms', () => {
    const tickets = (region: string) =>
      inIreland((scope) => ({ alarms: { topic: Topic.fromTopicArn(scope, 'T', topicIn(region)) } }));
    expect(tickets('eu-west-1')).toEqual([]);
    expect(() => tickets('us-east-1')).toThrow(
      'alarms.topic: found a topic in us-east-1, expected one in eu-west-1: alarms notify no other',
    );
    const ofOtherStack = (stack: Stack) =>
      new Topic(
        new Stack(stack.node.scope, 'Far', { env: { account: '111111111111', region: 'us-east-1' } }),
        'T',
      );
    expect(() => inIreland((stack) => ({ alarms: { topic: ofOtherStack(stack) } }))).toThrow(
      'alarms.topic: found a topic in us-east-1',
    );
    const unknown = new Stack(quickApp(), 'Shop');
    const topic = Topic.fromTopicArn(unknown, 'T', topicIn('us-east-1'));
    const { node } = pipelineIn(unknown, { alarms: { topic } });
    expect(node.findAll().flatMap((child) => child.node.validate())).toEqual([]);
  });

  it('a certificate whose ARN is malformed', () => {
    const withCertificate = (scope: Stack) => {
      const certificate = Certificate.fromCertificateArn(scope, 'Cert', 'my-certificate');
      return { webhook: { domain: { name: 'hooks.pipeline.test', certificate } } };
    };
    expect(() => inIreland(withCertificate)).toThrow(
      'webhook.domain.certificate: found my-certificate, expected the ARN of a certificate of ACM',
    );
  });

  it('a certificate of the webhook, which is in the region of the stack', () => {
    expect(inIreland(domainIn('eu-west-1'))).toEqual([]);
    expect(() => inIreland(domainIn('us-east-1'))).toThrow(
      'webhook.domain.certificate: found a certificate in us-east-1, expected one in eu-west-1',
    );
  });

  it('a certificate of another account, and one that is not of ACM', () => {
    const problemsWith = (webhookArn: string, consoleArn: string) => {
      const of = (scope: Stack, id: string, arn: string) => ({
        domain: {
          name: `${id}.pipeline.test`,
          certificate: Certificate.fromCertificateArn(scope, id, arn),
        },
      });
      return () =>
        inIreland((scope) => ({
          webhook: of(scope, 'hooks', webhookArn),
          console: of(scope, 'console', consoleArn),
        }));
    };
    const place = "found a certificate of the account 222222222222, expected one of the stack's account";
    const refused = problemsWith(
      'arn:aws:acm:eu-west-1:222222222222:certificate/c-1',
      'arn:aws:acm:us-east-1:222222222222:certificate/c-1',
    );
    expect(refused).toThrow(`webhook.domain.certificate: ${place} 111111111111`);
    expect(refused).toThrow(`console.domain.certificate: ${place} 111111111111`);
    const iam = 'arn:aws:iam::111111111111:server-certificate/hooks';
    const ofIam = problemsWith(iam, 'arn:aws:acm:us-east-1:111111111111:certificate/c-1');
    expect(ofIam).toThrow(
      `webhook.domain.certificate: found ${iam}, expected the ARN of a certificate of ACM`,
    );
    expect(ofIam).not.toThrow('found a certificate in');
  });

  it('a certificate of a private authority beside mutual TLS', () => {
    const withMutualTls = (scope: Stack) => {
      const arn = 'arn:aws:acm-pca:eu-west-1:111111111111:certificate-authority/a-1';
      const certificateAuthority = CertificateAuthority.fromCertificateAuthorityArn(scope, 'Ca', arn);
      const name = 'hooks.pipeline.test';
      const certificate = new PrivateCertificate(scope, 'Cert', { domainName: name, certificateAuthority });
      const mutualTls = { bucket: Bucket.fromBucketName(scope, 'Trust', 'trust'), key: 'trust.pem' };
      return { webhook: { domain: { name, certificate, mutualTls, usedByWebhook: true } } };
    };
    expect(() => inIreland(withMutualTls)).toThrow(
      'webhook.domain.certificate: found a certificate of a private certificate authority, expected a public one of ACM beside mutualTls',
    );
  });

  it.each<[string, string[], string, boolean]>([
    ['another name', ['api.pipeline.test'], 'hooks.pipeline.test', false],
    ['the name', ['Hooks.pipeline.test'], 'hooks.pipeline.test', true],
    ['the name as a second one', ['pipeline.test', 'hooks.pipeline.test'], 'hooks.pipeline.test', true],
    ['all names of a domain', ['*.pipeline.test'], 'hooks.pipeline.test', true],
    ['all names of the domain above', ['*.pipeline.test'], 'a.hooks.pipeline.test', false],
    ['the domain above', ['pipeline.test'], 'hooks.pipeline.test', false],
  ])('a certificate of the app that is for %s', (_, [domainName = '', ...others], name, isRight) => {
    const withCertificate = (scope: Stack) => {
      const certificate = new Certificate(scope, 'Cert', { domainName, subjectAlternativeNames: others });
      return { webhook: { domain: { name, certificate } } };
    };
    const names = [domainName, ...others].join(', ');
    if (isRight) expect(inIreland(withCertificate)).toEqual([]);
    else
      expect(() => inIreland(withCertificate)).toThrow(
        `webhook.domain.certificate: found a certificate for ${names}, expected one for ${name}`,
      );
  });

  it('not a certificate of the app whose name is known at deployment only', () => {
    const withCertificate = (scope: Stack) => {
      const zone = new CfnParameter(scope, 'Zone').valueAsString;
      const domainName = `*.${zone}`;
      const validation = CertificateValidation.fromEmail({ [domainName]: 'pipeline.test' });
      const certificate = new Certificate(scope, 'Cert', { domainName, validation });
      return { webhook: { domain: { name: 'hooks.pipeline.test', certificate } } };
    };
    expect(inIreland(withCertificate)).toEqual([]);
  });

  it('a URL of the pipeline itself, to which it would forward', () => {
    const forwarding = (url: string) => (scope: Stack) => ({
      ...domainIn('eu-west-1')(scope),
      automations: [Automation.forward({ url })],
    });
    expect(inIreland(forwarding('https://crm.pipeline.test/sms'))).toEqual([]);
    expect(() => inIreland(forwarding('https://SMS.pipeline.test/webhook'))).toThrow(
      "automations.forward.url: found the pipeline's own domain sms.pipeline.test, expected a URL of another system",
    );
  });

  it('a certificate of the console, which is in us-east-1', () => {
    const withCertificate = (scope: Stack) => {
      const certificate = new Certificate(scope, 'Cert', { domainName: 'console.pipeline.test' });
      return { console: { domain: { name: 'console.pipeline.test', certificate } } };
    };
    expect(() => inIreland(withCertificate)).toThrow(
      'console.domain.certificate: found a certificate in eu-west-1, expected one in us-east-1',
    );
  });
});

it('synth refuses a FIFO topic of notices', () => {
  const topicOf = (scope: Stack) => new Topic(scope, 'T', { fifo: true });
  const refuse = (automation: (topic: ITopic) => Automation) => {
    const stack = new Stack(quickApp(), 'Shop');
    return () => pipelineIn(stack, { automations: [automation(topicOf(stack))] });
  };
  expect(refuse((topic) => Automation.failureAlert({ topic }))).toThrow(
    'automations.failureAlert.topic: found a FIFO topic, expected a standard topic',
  );
  expect(refuse((topic) => Automation.optOutContacts({ topic }))).toThrow('automations.optOutContacts.topic');
});
