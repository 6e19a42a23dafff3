import { describe, expect, it } from 'vitest';
import { changedSettings, functionNamed, resource, templateFor } from '../support/built-app.ts';

const type = 'Custom::SmsWebhookRegistration';

describe('registration', () => {
  const template = templateFor();
  const { Properties, DependsOn } = resource(template, type);

  // The service sends events as soon as it knows the address.
  it('comes after the whole path of an event, which it cannot roll back', () => {
    const path = ['worker', 'ingest', 'publisher', 'insights', 'query'] as const;
    expect(DependsOn).toEqual(expect.arrayContaining(path.map((name) => functionNamed(template, name).id)));
  });

  it('happens before the schedule begins, and the webhook is deactivated after it has ended', () => {
    const reconcile = resource(template, 'AWS::Events::Rule', 'RegistrationReconcile');
    expect(reconcile.DependsOn).toEqual([resource(template, type).id]);
  });

  it('happens again for a new state table', () => {
    expect(Properties.WebhookStateTableName).toEqual({
      Ref: resource(template, 'AWS::DynamoDB::Table', 'WebhookState').id,
    });
  });

  it('fails after two minutes without an answer', () => {
    expect(Properties.ServiceTimeout).toBe('120');
  });
});

describe('registering again', () => {
  const propertiesFor = (context = {}) => resource(templateFor(context), type).Properties;

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
