import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';

/** The context Lambda gives a handler, with plenty of time left. */
export const lambdaContext: Context = {
  awsRequestId: '00000000-0000-4000-8000-000000000000',
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'test',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:test',
  memoryLimitInMB: '512',
  logGroupName: 'test',
  logStreamName: 'test',
  getRemainingTimeInMillis: () => 20_000,
  done: () => {},
  fail: () => {},
  succeed: () => {},
};

/** Lets the AWS clients of handlers that are loaded after this wait a minute, on a machine with much else to do. */
export async function waitLongForAws(): Promise<void> {
  const { clientSettings } = await import('../../functions/base/handler-settings.ts');
  Object.assign(clientSettings.requestHandler, { connectionTimeout: 60_000, requestTimeout: 60_000 });
}

/** The parts of a request that a test chooses. */
export interface RequestParts {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
  readonly rawQueryString?: string;
  /** The path behind that of the webhook, as the route `{proxy+}` matches it. */
  readonly path?: string;
  /** The address that API Gateway sees. */
  readonly sourceIp?: string;
}

/** An API Gateway HTTP API event, payload format 2.0, for POST /webhooks/sms. */
export function httpApiEvent(parts: RequestParts): APIGatewayProxyEventV2 {
  const { method = 'POST', headers = {}, body, isBase64Encoded = false } = parts;
  const { rawQueryString = '', sourceIp = '192.0.2.1', path } = parts;
  return {
    version: '2.0',
    routeKey: 'ANY /webhooks/sms',
    rawPath: '/webhooks/sms',
    rawQueryString,
    headers: { ...headers } as APIGatewayProxyEventV2['headers'],
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      domainName: 'example.test',
      domainPrefix: 'example',
      http: { method, path: '/webhooks/sms', protocol: 'HTTP/1.1', sourceIp, userAgent: 'test' },
      requestId: 'req-1',
      routeKey: 'ANY /webhooks/sms',
      stage: '$default',
      time: '15/Jan/2026:12:00:05 +0000',
      timeEpoch: 1768478405000,
    },
    isBase64Encoded,
    ...(body === undefined ? {} : { body }),
    ...(path === undefined ? {} : { pathParameters: { proxy: path } }),
  };
}
