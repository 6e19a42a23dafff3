import type { Context } from 'aws-lambda';

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
