import { describe, expect, it } from 'vitest';
import { functionNamed, resource, resourcesOf, templatesFor } from '../support/built-app.ts';

const { pipeline } = templatesFor();
const api = resource(pipeline, 'AWS::ApiGatewayV2::Api').id;

describe('the query API', () => {
  const integration = resource(pipeline, 'AWS::ApiGatewayV2::Integration', 'WebhookApiANYv1');

  it('is a route of the one HTTP API, for callers that sign with IAM only', () => {
    const routes = Object.values(resourcesOf(pipeline, 'AWS::ApiGatewayV2::Route'));
    expect(
      routes.map(({ Properties: { RouteKey, AuthorizationType } }) => [RouteKey, AuthorizationType]).sort(),
    ).toEqual([
      ['ANY /v1/{proxy+}', 'AWS_IAM'],
      ['ANY /webhooks/sms', 'NONE'],
    ]);
    expect(resource(pipeline, 'AWS::ApiGatewayV2::Route', 'WebhookApiANYv1').Properties).toEqual({
      ApiId: { Ref: api },
      RouteKey: 'ANY /v1/{proxy+}',
      AuthorizationType: 'AWS_IAM',
      Target: { 'Fn::Join': ['', ['integrations/', { Ref: integration.id }]] },
    });
  });

  it('has its own throttle, far below the throttle of the webhook', () => {
    const { Properties, DependsOn } = resource(pipeline, 'AWS::ApiGatewayV2::Stage');
    expect(Properties.RouteSettings).toEqual({
      'ANY /v1/{proxy+}': { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
    });
    expect(DependsOn).toContain(resource(pipeline, 'AWS::ApiGatewayV2::Route', 'WebhookApiANYv1').id);
  });

  it('passes each request to the query function, in payload format 2.0', () => {
    expect(integration.Properties).toMatchObject({
      IntegrationType: 'AWS_PROXY',
      PayloadFormatVersion: '2.0',
      IntegrationUri: { 'Fn::GetAtt': [functionNamed(pipeline, 'query').id, 'Arn'] },
    });
  });

  it('has an output with its address', () => {
    expect(pipeline.toJSON().Outputs.QueryUrl.Value).toEqual({
      'Fn::Join': ['', [{ 'Fn::GetAtt': [api, 'ApiEndpoint'] }, '/v1']],
    });
  });

  it('gives its function ten seconds', () => {
    expect(functionNamed(pipeline, 'query').Properties).toMatchObject({ Timeout: 10, MemorySize: 512 });
  });
});

describe('queryRoleArn', () => {
  const context = { 'sms:queryRoleArn': 'arn:aws:iam::000000000000:role/team/reader' };

  it('allows one more role to send GET and HEAD to the query route only', () => {
    const template = templatesFor(context).pipeline;
    const { Properties } = resource(template, 'AWS::IAM::Policy', 'QueryCaller');
    const route = (method: string) => ({
      'Fn::Join': [
        '',
        [
          'arn:',
          { Ref: 'AWS::Partition' },
          ':execute-api:',
          { Ref: 'AWS::Region' },
          ':',
          { Ref: 'AWS::AccountId' },
          ':',
          { Ref: api },
          `/*/${method}/v1/*`,
        ],
      ],
    });
    expect(Properties).toMatchObject({
      Roles: ['reader'],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: [route('GET'), route('HEAD')] },
        ],
      },
    });
  });

  it('changes nothing else', () => {
    const {
      [resource(templatesFor(context).pipeline, 'AWS::IAM::Policy', 'QueryCaller').id]: policy,
      ...rest
    } = templatesFor(context).pipeline.toJSON().Resources;
    expect(policy).toBeDefined();
    expect(rest).toEqual(pipeline.toJSON().Resources);
  });

  it('grants no permission when it is unset', () => {
    expect(JSON.stringify(pipeline.toJSON())).not.toContain('execute-api:Invoke');
  });
});
