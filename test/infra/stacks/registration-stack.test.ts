import { describe, expect, it } from 'vitest';
import {
  changedSettings,
  dependenciesOf,
  registrationTemplate,
  resource,
  templatesFor,
} from '../support/built-app.ts';

const type = 'Custom::SmsWebhookRegistration';

describe('registration', () => {
  const { pipeline } = templatesFor();
  const registration = registrationTemplate();
  const { id, Properties } = resource(registration, type);
  const exported = (value: unknown) =>
    Object.values<{ Value: unknown; Export?: { Name: string } }>(pipeline.toJSON().Outputs).find(
      (output) => output.Export?.Name === value,
    )?.Value;

  it('is a separate stack, deployed after the pipeline, which it cannot roll back', () => {
    expect(Object.keys(registration.toJSON().Resources)).toEqual([id]);
    expect(dependenciesOf('SmsPipeline-Registration')).toEqual(['SmsPipeline-Pipeline']);
    expect(dependenciesOf('SmsPipeline-Pipeline').sort()).toEqual([
      'SmsPipeline-Events',
      'SmsPipeline-Storage',
    ]);
  });

  // Without "desiredState" in it, which only registering writes, reconcile does nothing.
  it('happens again for a new state table', () => {
    const name = Properties.WebhookStateTableName as { 'Fn::ImportValue': string };
    expect(exported(name['Fn::ImportValue'])).toEqual({
      Ref: resource(pipeline, 'AWS::DynamoDB::Table').id,
    });
  });

  it('fails after two minutes without an answer', () => {
    expect(Properties.ServiceTimeout).toBe('120');
  });
});

describe('registering again', () => {
  const propertiesFor = (context = {}) => resource(registrationTemplate(context), type).Properties;

  it.each([
    { 'sms:serviceBaseUrl': 'https://other.sms-service.example' },
    { 'sms:apiKeySecretName': 'other/key' },
  ])('happens for another service or account: %o', (context) =>
    expect(propertiesFor(context)).not.toEqual(propertiesFor()),
  );

  it('does not happen for changes that do not affect the service', () => {
    const { 'sms:serviceBaseUrl': _url, 'sms:apiKeySecretName': _key, ...others } = changedSettings;
    expect(propertiesFor(others)).toEqual(propertiesFor());
  });
});
