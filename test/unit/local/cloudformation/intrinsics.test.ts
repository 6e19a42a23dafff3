import { describe, expect, it } from 'vitest';
import { resolveValue, type Scope } from '../../../../local/cloudformation/intrinsics.ts';
import { TemplateError } from '../../../../local/cloudformation/template.ts';

const scope: Scope = {
  stackName: 'Pipeline',
  ref: (name) => `ref of ${name}`,
  attribute: (logicalId, name) => `${name} of ${logicalId}`,
  mapped: (map, first, second) => `${map}/${first}/${second}`,
  exported: (name) => `export ${name}`,
};

describe('resolveValue', () => {
  it.each([
    ['Ref to a resource', { Ref: 'Queue' }, 'ref of Queue'],
    ['Ref to a pseudo parameter', { Ref: 'AWS::Region' }, 'us-east-1'],
    ['the stack name', { Ref: 'AWS::StackName' }, 'Pipeline'],
    ['Fn::GetAtt as a list', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'Arn of Queue'],
    ['Fn::GetAtt as text', { 'Fn::GetAtt': 'Queue.Arn' }, 'Arn of Queue'],
    [
      'Fn::FindInMap',
      { 'Fn::FindInMap': ['Runtimes', { Ref: 'AWS::Region' }, 'node'] },
      'Runtimes/us-east-1/node',
    ],
    ['Fn::Join', { 'Fn::Join': ['/', ['a', { Ref: 'B' }, 3]] }, 'a/ref of B/3'],
    ['Fn::Join of a list that is computed', { 'Fn::Join': ['-', { 'Fn::Split': ['.', 'a.b'] }] }, 'a-b'],
    [
      'Fn::Sub',
      { 'Fn::Sub': `x-\${AWS::AccountId}-\${Queue}-\${Queue.Arn}` },
      'x-000000000000-ref of Queue-Arn of Queue',
    ],
    ['Fn::Sub with variables', { 'Fn::Sub': [`\${A}-\${!B}`, { A: { Ref: 'C' } }] }, `ref of C-\${B}`],
    ['Fn::Select with an index as text', { 'Fn::Select': ['1', ['a', 'b']] }, 'b'],
    ['Fn::ImportValue', { 'Fn::ImportValue': { 'Fn::Join': ['', ['x', 'y']] } }, 'export xy'],
  ])('resolves %s', (_, value, expected) => {
    expect(resolveValue(value, scope)).toBe(expected);
  });

  it('removes AWS::NoValue from objects and lists', () => {
    const value = { kept: 1, left: { Ref: 'AWS::NoValue' }, list: ['a', { Ref: 'AWS::NoValue' }] };
    expect(resolveValue(value, scope)).toEqual({ kept: 1, list: ['a'] });
  });

  it('keeps an object with more than one key', () => {
    expect(resolveValue({ Ref: 'x', other: true }, scope)).toEqual({ Ref: 'x', other: true });
  });

  it.each([
    ['an unknown function', { 'Fn::Cidr': ['10.0.0.0/16', 4] }, /Fn::Cidr/],
    ['a condition', { 'Fn::If': ['IsProd', 'a', 'b'] }, /Fn::If/],
    ['an unknown pseudo parameter', { Ref: 'AWS::NotificationARNs' }, /AWS::NotificationARNs/],
    ['a dynamic reference', '{{resolve:ssm:name}}', /dynamic references/],
    ['a selection beyond the list', { 'Fn::Select': [2, ['a']] }, /no item 2/],
    ['an object to be joined', { 'Fn::Join': ['', [{ a: 1, b: 2 }]] }, /expects a string/],
  ])('rejects %s by name', (_, value, message) => {
    expect(() => resolveValue(value, scope)).toThrow(TemplateError);
    expect(() => resolveValue(value, scope)).toThrow(message);
  });
});
