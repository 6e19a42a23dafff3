import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../lib/app/read-settings.ts';
import { allowed } from '../support/allowed-actions.ts';
import { functionNamed, resourcesOf, templateFor } from '../support/built-app.ts';

const off = { 'sms:registration': 'off' };
const pipeline = templateFor(off);
const idsOf = (type: string, template = pipeline) => Object.keys(resourcesOf(template, type));

describe('registration switched off', () => {
  it('removes the registration', () => {
    expect(idsOf('Custom::SmsWebhookRegistration', templateFor())).toHaveLength(1);
    expect(idsOf('Custom::SmsWebhookRegistration')).toEqual([]);
  });

  it('removes the schedule that reconciles', () => {
    expect(idsOf('AWS::Events::Rule').filter((id) => /Reconcile/.test(id))).toEqual([]);
    expect(idsOf('AWS::Events::Rule', templateFor()).filter((id) => /Reconcile/.test(id))).toHaveLength(1);
  });

  it('removes only the alarms that need registration', () => {
    const usual = idsOf('AWS::CloudWatch::Alarm', templateFor());
    const left = idsOf('AWS::CloudWatch::Alarm');
    expect(usual.filter((id) => !left.includes(id)).sort()).toEqual([
      expect.stringMatching(/^RegistrationSetupWebhookDrifted/),
    ]);
    expect(left.filter((id) => !usual.includes(id))).toEqual([]);
  });

  it('gives setup the permissions to count and to end captures, without the API key and the bus', () => {
    const actions = allowed('setup', pipeline).join('\n');
    expect(actions).not.toMatch(/api-key|events:PutEvents/);
    expect(actions).toMatch(/secretsmanager:UpdateSecretVersionStage on .*WebhookSecret/);
    expect(actions).toMatch(/sqs:ReceiveMessage on Signals/);
    expect(JSON.stringify(resourcesOf(pipeline, 'AWS::IAM::Policy'))).not.toContain('api-key');
  });

  it.each(['setup', 'worker'] as const)('is passed to %s, and is in an output', (name) => {
    expect(functionNamed(pipeline, name).Properties.Environment).toMatchObject({
      Variables: { REGISTRATION: 'off' },
    });
    const outputsOf = (template: typeof pipeline) => template.toJSON().Outputs;
    expect(outputsOf(pipeline).Registration.Value).toBe('off');
    expect(outputsOf(templateFor()).Registration.Value).toBe('on');
    expect(outputsOf(templateFor()).SecretOverlapHours.Value).toBe('24');
  });

  it.each([
    ['optOutContacts', 'on', 'expected "off": it calls the API of the SMS service'],
    ['contactSync', 'on', 'expected "off": it calls the API of the SMS service'],
    ['billingWatch', 'on', 'expected "off": it calls the API of the SMS service'],
    ['rotateAfterDays', 90, 'expected 0: with registration "off"'],
    ['parkUnverified', 'always', 'expected "rotating": with registration "off"'],
  ])('rejects %s %j, which needs the API of the service', (name, value, expected) => {
    expect(() => readSettings({ ...off, [`sms:${name}`]: value })).toThrow(
      `sms:${name}: found ${JSON.stringify(value)}, ${expected}`,
    );
    expect(() => readSettings({ 'sms:registration': 'on', [`sms:${name}`]: value })).not.toThrow();
  });
});
