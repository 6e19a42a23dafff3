import { describe, expect, it } from 'vitest';
import { AwsError } from '../../../../local/aws-protocol/aws-json.ts';
import {
  deployStack,
  type Exports,
  type ResourceRequest,
} from '../../../../local/cloudformation/deploy-stack.ts';
import { NotOnOneMachine } from '../../../../local/cloudformation/template.ts';
import { UserError } from '../../../../local/terminal/terminal.ts';
import { stackOf } from '../../../support/resource-request.ts';

/** Types beginning with `Made::` are made and remembered in order, `Inert::Thing` means nothing. */
function recordingTypes() {
  const made: ResourceRequest[] = [];
  const notes: string[] = [];
  return {
    made,
    notes,
    creator: (type: string) =>
      type.startsWith('Made::')
        ? async (request: ResourceRequest) => {
            made.push(request);
            if (request.properties.isAbsent) throw new NotOnOneMachine('there are no things here');
            if (request.properties.isRejected) throw new AwsError('ValidationException', 'no key');
            return { ref: `made-${request.logicalId}`, attributes: { Arn: `arn-${request.logicalId}` } };
          }
        : undefined,
    isInert: (type: string) => type === 'Inert::Thing',
    note: (line: string) => void notes.push(line),
  };
}

describe('deployStack', () => {
  it('creates each resource after those that it refers to, for every kind of reference', async () => {
    const types = recordingTypes();
    const stack = stackOf({
      Resources: {
        A: { Type: 'Made::Thing', Properties: { b: { 'Fn::GetAtt': ['B', 'Arn'] } } },
        B: { Type: 'Made::Thing', Properties: { c: { 'Fn::Sub': `x-\${C.Arn}` } } },
        C: { Type: 'Made::Thing', DependsOn: 'D' },
        D: { Type: 'Made::Thing', Properties: { deep: [{ list: { Ref: 'E' } }] } },
        E: { Type: 'Inert::Thing', Properties: { ignored: { 'Fn::Nonsense': 1 } } },
      },
    });

    await deployStack(stack, types, new Map());

    expect(types.made.map(({ logicalId }) => logicalId)).toEqual(['D', 'C', 'B', 'A']);
    expect(types.made.map(({ properties }) => properties)).toEqual([
      { deep: [{ list: 'Pipeline-E' }] },
      {},
      { c: 'x-arn-C' },
      { b: 'arn-B' },
    ]);
  });

  it('passes exports of one stack to the next and returns the outputs', async () => {
    const types = recordingTypes();
    const exports: Exports = new Map();
    const producer = stackOf(
      {
        Resources: { Table: { Type: 'Made::Table' } },
        Outputs: {
          TableName: { Value: { Ref: 'Table' }, Export: { Name: { 'Fn::Sub': `\${AWS::StackName}:table` } } },
        },
      },
      'Storage',
    );
    const consumer = stackOf({
      Resources: {
        User: { Type: 'Made::User', Properties: { table: { 'Fn::ImportValue': 'Storage:table' } } },
      },
    });

    const outputs = await deployStack(producer, types, exports);
    await deployStack(consumer, types, exports);

    expect(outputs).toEqual({ TableName: 'made-Table' });
    expect(types.made.at(-1)?.properties).toEqual({ table: 'made-Table' });
  });

  it('leaves out what one machine does not have, with a line that names it', async () => {
    const types = recordingTypes();
    const absent = { Type: 'Made::Thing', Properties: { isAbsent: true } };
    const template = {
      Resources: {
        Vpc: { Type: 'AWS::EC2::VPC', Condition: 'IsProd', Properties: { Cidr: { 'Fn::Nonsense': 1 } } },
        Absent: absent,
        User: {
          Type: 'Made::User',
          Properties: { a: { Ref: 'Absent' }, b: { 'Fn::GetAtt': ['Vpc', 'CidrBlock'] } },
        },
      },
    };
    await deployStack(stackOf(template), types, new Map());
    expect(types.notes).toEqual([
      'stack Pipeline, resource Vpc (AWS::EC2::VPC): skipped, because one machine has no resources of this type',
      'stack Pipeline, resource Absent (Made::Thing): skipped: there are no things here',
    ]);
    expect(types.made.at(-1)?.properties).toEqual({ a: 'Pipeline-Absent', b: 'Pipeline-Vpc-CidrBlock' });
  });

  it.each([
    [
      'a resource that its service rejects',
      { Resources: { A: { Type: 'Made::Thing', Properties: { isRejected: true } } } },
      'stack Pipeline, resource A (Made::Thing): no key',
    ],
    [
      'a reference to nothing',
      { Resources: { A: { Type: 'Made::Thing', Properties: { x: { Ref: 'Missing' } } } } },
      'stack Pipeline, resource A (Made::Thing): Ref to Missing',
    ],
    [
      'a conditional resource',
      { Resources: { A: { Type: 'Made::Thing', Condition: 'IsProd' } } },
      'stack Pipeline, resource A (Made::Thing): conditions are not supported',
    ],
    [
      'an unknown attribute in an output',
      {
        Resources: { A: { Type: 'Made::Thing' } },
        Outputs: { Url: { Value: { 'Fn::GetAtt': ['A', 'Url'] } } },
      },
      'stack Pipeline, output Url: Fn::GetAtt A.Url is not known',
    ],
  ])('names stack, resource and type for %s', async (_, template, message) => {
    const deployment = deployStack(stackOf(template), recordingTypes(), new Map());
    await expect(deployment).rejects.toThrow(UserError);
    await expect(deployment).rejects.toThrow(message);
  });
});
