import {
  alarm,
  type Breaks,
  listOf,
  mapping,
  put,
  queue,
  resourceId,
  resourceOf,
  rule,
  text,
  worker,
} from './break.ts';

/** Mistakes in sizes and numbers, by the check that finds them. */
export const brokenLimits = {
  'policy that is too large': [
    [
      'of a role, in two policies',
      (all) => {
        for (const prefix of ['EventsWorker', 'Setup']) {
          const policy = resourceOf(all, 'AWS::IAM::Policy', prefix);
          put(policy, 'PolicyDocument.Statement', listOf(50, { Resource: text(100) }));
          put(policy, 'Roles', [{ Ref: resourceId(all, 'AWS::IAM::Role', 'Setup') }]);
        }
      },
      /SetupRole.+ \d{5} bytes of policy/,
    ],
    [
      'of the bus',
      (all) =>
        put(resourceOf(all, 'AWS::Events::EventBusPolicy'), 'Statement.Principal.AWS', listOf(300, text(34))),
      /Bus\w+.+ bytes of policy, at most 10240/,
    ],
    [
      'of a queue',
      (all) => put(resourceOf(all, 'AWS::SQS::QueuePolicy'), 'PolicyDocument.Statement', listOf(21, {})),
      /21 statements, at most 20/,
    ],
  ],
  'function that Lambda would refuse': [
    [
      'a long environment',
      (all) => put(worker(all), 'Environment.Variables.LONG', text(4000)),
      /bytes of environment, at most 4096/,
    ],
    [
      'a number as a variable',
      (all) => put(worker(all), 'Environment.Variables.SHARDS', 16),
      /a variable that is no text/,
    ],
    [
      'a reserved concurrency below its source',
      (all) => put(worker(all), 'ReservedConcurrentExecutions', 49),
      /49 reserved, its sources start up to 50/,
    ],
    [
      'all that an account has',
      (all) => put(worker(all), 'ReservedConcurrentExecutions', 901),
      /1\d\d\d concurrent executions reserved, at most 900/,
    ],
    [
      'slower than API Gateway waits',
      (all) => put(resourceOf(all, 'AWS::Lambda::Function', 'Ingest'), 'Timeout', 31),
      /may take 31 s/,
    ],
  ],
  'queue that does not fit its function': [
    [
      'a short visibility timeout',
      (all) => put(queue(all), 'VisibilityTimeout', 120),
      /invisible for 120 s, needs 121 s/,
    ],
    ['few receives', (all) => put(queue(all), 'RedrivePolicy.maxReceiveCount', 4), /4 receives, at least 5/],
    [
      'dead letters that are forgotten first',
      (all) => put(resourceOf(all, 'AWS::SQS::Queue', 'EventsDeadLetters'), 'MessageRetentionPeriod', 86_400),
      /kept for longer than in its dead letter queue/,
    ],
    [
      'no dead letter queue',
      (all) => put(queue(all), 'RedrivePolicy', {}),
      /no dead letter queue and is tried more than once/,
    ],
    [
      'a batch without a window',
      (all) => put(mapping(all), 'MaximumBatchingWindowInSeconds', 0),
      /more than 10 in a batch/,
    ],
    [
      'many filters',
      (all) => put(mapping(all), 'FilterCriteria', { Filters: listOf(6, { Pattern: '{}' }) }),
      /6 filters, at most 5/,
    ],
  ],
  'rule that EventBridge would refuse': [
    [
      'a long pattern',
      (all) => put(rule(all), 'EventPattern', { source: [text(2040)] }),
      /pattern of 20\d\d characters, at most 2048/,
    ],
  ],
  'alarm that CloudWatch would refuse': [
    ['a crooked period', (all) => put(alarm(all), 'Period', 90), /a period of 90 s/],
    ['a long look back', (all) => put(alarm(all), 'EvaluationPeriods', 1441), /looks back \d+ s/],
  ],
  'throttle that never holds': [
    [
      'above the account',
      (all) =>
        put(resourceOf(all, 'AWS::ApiGatewayV2::Stage'), 'DefaultRouteSettings.ThrottlingBurstLimit', 5001),
      /in bursts of 5001/,
    ],
  ],
} satisfies Breaks;
