import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { Contract } from '../../../lib/public/index.ts';
import { staticTokenJson } from '../../support/contract-json.ts';
import { stackWith } from '../support/own-pipeline.ts';

const readingPath = () =>
  Contract.fromObject(
    staticTokenJson(
      { reads: { path: 'unsigned' } },
      {
        id: { from: 'body', path: 'event' },
        status: { messageId: 'id', recipient: 'to', status: 'requestPath[0]', occurredAt: null },
      },
    ),
  );

const webhookRoutes = (template: Template) =>
  Object.values(template.findResources('AWS::ApiGatewayV2::Route'))
    .map(({ Properties }) => String(Properties.RouteKey))
    .filter((key) => key.includes('/webhooks/'))
    .sort();

/** The patterns of the access log that count the webhook's answers of 5xx. */
const errorPatterns = (template: Template) =>
  Object.values(template.findResources('AWS::Logs::MetricFilter'))
    .filter(({ Properties }) => Properties.MetricTransformations[0].MetricName === 'WebhookServerErrors')
    .map(({ Properties }) => String(Properties.FilterPattern));

it('a contract that reads no path has the route of the webhook alone', () => {
  const template = Template.fromStack(stackWith().stack);
  expect(webhookRoutes(template)).toEqual(['ANY /webhooks/sms']);
  expect(errorPatterns(template)).toEqual(['{ ($.routeKey = "ANY /webhooks/sms") && ($.status = "5*") }']);
});

it('a contract that reads the path has a route below the webhook, and its 5xx are counted too', () => {
  const template = Template.fromStack(stackWith({ contract: readingPath() }).stack);
  expect(webhookRoutes(template)).toEqual(['ANY /webhooks/sms', 'ANY /webhooks/sms/{proxy+}']);
  expect(errorPatterns(template)).toEqual([
    '{ (($.routeKey = "ANY /webhooks/sms") || ($.routeKey = "ANY /webhooks/sms/*")) && ($.status = "5*") }',
  ]);
});
