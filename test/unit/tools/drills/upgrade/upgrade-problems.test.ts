import { describe, expect, it } from 'vitest';
import type { Stack } from '../../../../../local/cloudformation/cloud-assembly.ts';
import { parseTemplate } from '../../../../../local/cloudformation/template.ts';
import { comparison, upgradeProblems } from '../../../../../tools/drills/upgrade/upgrade-problems.ts';

const key = [{ AttributeName: 'pk', KeyType: 'HASH' }];
const table = {
  Type: 'AWS::DynamoDB::Table',
  DeletionPolicy: 'Retain',
  Properties: { KeySchema: key, BillingMode: 'PAY_PER_REQUEST' },
};
const alarm = { Type: 'AWS::CloudWatch::Alarm', Properties: {} };
const exported = { Bus: { Value: 'bus', Export: { Name: 'Sms:Bus' } } };

const stacks = (Resources: object, Outputs: object = exported): Stack[] => [
  { name: 'Sms-Storage', template: parseTemplate({ Resources, Outputs }), assets: new Map() },
];
const before = stacks({ History: table, Alarm: alarm });

it('a drill without an earlier release says that it compares the sources with themselves', () => {
  expect(comparison(undefined, '0.1.1')).toMatch(/^compared with itself, /);
  expect(comparison('v0.1.0', '0.2.0')).toBe('from v0.1.0 to the sources here, as 0.2.0');
});

describe('an upgrade', () => {
  it.each([
    [
      'of a setting of the table',
      { History: { ...table, Properties: { ...table.Properties, BillingMode: 'x' } } },
    ],
    ['that adds a table', { History: table, More: table }],
    ['that removes an alarm', { History: table }],
  ])('loses nothing by a change %s', (_, resources) => {
    expect(upgradeProblems(before, stacks(resources), 'Sms')).toEqual([]);
  });

  it.each([
    ['another logical id', { Other: table }, 'Storage/History: gone, or under another logical id'],
    [
      'another key',
      { History: { ...table, Properties: { KeySchema: [] } } },
      'Storage/History: another KeySchema',
    ],
    [
      'a name',
      { History: { ...table, Properties: { KeySchema: key, TableName: 'h' } } },
      'Storage/History: another TableName',
    ],
    [
      'deletion',
      { History: { ...table, DeletionPolicy: 'Delete' } },
      'Storage/History: another DeletionPolicy',
    ],
    ['another type', { History: { ...table, Type: 'AWS::SQS::Queue' } }, 'Storage/History: another Type'],
  ])('is refused for %s of a table', (_, resources, problem) => {
    expect(upgradeProblems(before, stacks(resources), 'Sms')).toContain(problem);
  });

  it('is refused for an export that is taken back', () => {
    expect(upgradeProblems(before, stacks({ History: table }, {}), 'Sms')).toEqual(['export Sms:Bus: gone']);
  });
});
