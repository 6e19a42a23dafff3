import { CloudFormationClient, CloudFormationServiceException } from '@aws-sdk/client-cloudformation';
import { describe, expect, it } from 'vitest';
import { deployedStackReader } from '../../../../../cli/commands/deploy/stacks.ts';
import { type Answer, answering, anyAccount } from '../../support/aws.ts';

const cloudFormation = (answer: Answer) => answering(new CloudFormationClient(anyAccount), answer);

const summary = (id: string, status = 'CREATE_COMPLETE') => ({
  LogicalResourceId: id,
  ResourceType: 'AWS::SQS::Queue',
  PhysicalResourceId: `https://sqs.test/000000000000/${id}`,
  ResourceStatus: status,
});
const stackArn = 'arn:aws:cloudformation:eu-west-1:000000000000:stack/SmsPipeline/1';
const body = { Resources: { One: { Type: 'AWS::SQS::Queue', DeletionPolicy: 'Retain' } } };

describe('a deployed stack', () => {
  it('is read to its last page, without deleted resources', async () => {
    const client = cloudFormation((name, { NextToken }) => {
      if (name === 'GetTemplateCommand') return { TemplateBody: JSON.stringify(body) };
      if (name === 'DescribeStacksCommand') return { Stacks: [{ StackId: stackArn }] };
      return NextToken === undefined
        ? { StackResourceSummaries: [summary('One'), summary('Gone', 'DELETE_COMPLETE')], NextToken: 'two' }
        : { StackResourceSummaries: [summary('Two')] };
    });
    const stack = await deployedStackReader(client)('SmsPipeline');
    expect(stack?.arn).toBe(stackArn);
    expect(stack?.resources.map(({ logicalId }) => logicalId)).toEqual(['One', 'Two']);
    expect(stack?.resources[0]).toEqual({
      logicalId: 'One',
      type: 'AWS::SQS::Queue',
      physicalId: 'https://sqs.test/000000000000/One',
    });
    expect(stack?.template?.Resources.One?.DeletionPolicy).toBe('Retain');
  });

  it('has no template when it is not JSON', async () => {
    const client = cloudFormation((name) => {
      if (name === 'GetTemplateCommand') return { TemplateBody: 'Resources:\n' };
      if (name === 'DescribeStacksCommand') return { Stacks: [{ StackId: stackArn }] };
      return { StackResourceSummaries: [summary('One')] };
    });
    expect(await deployedStackReader(client)('x')).toMatchObject({ template: undefined });
  });

  it('is undefined when it does not exist; other errors are thrown', async () => {
    const failing = (message: string) =>
      cloudFormation(() => {
        throw new CloudFormationServiceException({
          name: 'ValidationError',
          $fault: 'client',
          $metadata: {},
          message,
        });
      });
    expect(await deployedStackReader(failing('Stack with id x does not exist'))('x')).toBeUndefined();
    await expect(deployedStackReader(failing('1 validation error'))('x')).rejects.toThrow(
      '1 validation error',
    );
  });
});
