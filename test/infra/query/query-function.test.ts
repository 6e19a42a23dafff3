import { describe, expect, it } from 'vitest';
import { flattened, statementsOf } from '../support/allowed-actions.ts';
import { environmentOf, resource, resourcesOf, templateFor } from '../support/built-app.ts';

const pipeline = templateFor();
const api = resource(pipeline, 'AWS::ApiGatewayV2::Api').id;

describe('the query API', () => {
  it('is a route of the one HTTP API, for callers that sign with IAM only', () => {
    const routes = Object.values(resourcesOf(pipeline, 'AWS::ApiGatewayV2::Route'));
    expect(
      routes.map(({ Properties: { RouteKey, AuthorizationType } }) => [RouteKey, AuthorizationType]).sort(),
    ).toEqual([
      ['ANY /v1/{proxy+}', 'AWS_IAM'],
      ['ANY /webhooks/sms', 'NONE'],
    ]);
  });

  it('has its own throttle, far below the throttle of the webhook', () => {
    const { Properties, DependsOn } = resource(pipeline, 'AWS::ApiGatewayV2::Stage');
    expect(Properties.RouteSettings).toEqual({
      'ANY /v1/{proxy+}': { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
    });
    expect(DependsOn).toContain(resource(pipeline, 'AWS::ApiGatewayV2::Route', 'ApiANYv1').id);
  });
});

it('without insights and a default country the query function still has each variable that it reads', () => {
  // A variable that is missing stops the function at its start.
  expect(environmentOf('query', { 'sms:insights': 'off' })).toMatchObject({
    INSIGHTS_TABLE: '',
    NUMBERS: 'mixed',
    DEFAULT_COUNTRY: '',
  });
});

describe('queryRoleArn', () => {
  const context = { 'sms:queryRoleArn': 'arn:aws:iam::000000000000:role/team/reader' };

  it('allows one more role to send GET, HEAD and searches to the query route only', () => {
    const template = templateFor(context);
    const { Properties } = resource(template, 'AWS::IAM::Policy', 'Caller');
    expect(Properties.Roles).toEqual(['reader']);
    const [statement, ...others] = statementsOf(resource(template, 'AWS::IAM::Policy', 'Caller'));
    expect(others).toEqual([]);
    expect(statement).toMatchObject({ Effect: 'Allow', Action: 'execute-api:Invoke' });
    expect([statement?.Resource].flat().map(flattened)).toEqual([
      expect.stringMatching(`^arn:.+:${api}/\\*/GET/v1/\\*$`),
      expect.stringMatching(`^arn:.+:${api}/\\*/HEAD/v1/\\*$`),
      expect.stringMatching(`^arn:.+:${api}/\\*/POST/v1/search$`),
    ]);
  });

  it('changes nothing else', () => {
    const { [resource(templateFor(context), 'AWS::IAM::Policy', 'Caller').id]: policy, ...rest } =
      templateFor(context).toJSON().Resources;
    expect(policy).toBeDefined();
    expect(rest).toEqual(pipeline.toJSON().Resources);
  });

  it('grants no permission when it is unset', () => {
    expect(JSON.stringify(pipeline.toJSON())).not.toContain('execute-api:Invoke');
  });
});

describe('the key of masked ids', () => {
  const writesOf = (template: typeof pipeline) =>
    statementsOf(resource(template, 'AWS::IAM::Policy', 'QueryRole')).filter(({ Action }) =>
      [Action].flat().some((action) => String(action).includes('Put')),
    );

  it('may be written by the query function of a pipeline with a console, and nothing else', () => {
    const ofTable = writesOf(templateFor({ 'sms:console': 'on' })).filter(({ Action }) =>
      String(Action).startsWith('dynamodb:'),
    );
    expect(ofTable).toEqual([
      expect.objectContaining({
        Action: 'dynamodb:PutItem',
        Condition: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['id-mask#*'] },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    ]);
  });

  it('is not written without a console', () => {
    expect(writesOf(pipeline).filter(({ Action }) => String(Action).startsWith('dynamodb:'))).toEqual([]);
  });
});
