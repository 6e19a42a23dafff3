import { alarm, type Breaks, put, queue, resourceOf, stackCalled, worker } from './break.ts';

/** As CloudFormation writes it, and TypeScript would take for its own. */
const curly = (name: string) => ['$', `{${name}}`].join('');

/** Mistakes in what refers to what, by the check that finds them. */
export const brokenStructure = {
  'import that no stack exports in time': [
    [
      'an import',
      (all) => put(worker(all), 'Role', { 'Fn::ImportValue': 'Other:Gone' }),
      /no stack exports Other:Gone/,
    ],
    [
      'the order of stacks',
      (all) => stackCalled(all, '-Pipeline').dependsOn.splice(0),
      /-Storage is not deployed before .*-Pipeline$/,
    ],
  ],
  'text that was never filled in': [
    [
      'a text token',
      (all) => put(worker(all), 'Description', `of ${curly('Token[TOKEN.12]')}`),
      /Description: of \$\{Token/,
    ],
    ['a number token', (all) => put(worker(all), 'Timeout', -1.8881545897087626e289), /Timeout/],
    ['an object as text', (all) => put(alarm(all), 'AlarmDescription', `CAUSE: ${{}}`), /object Object/],
    ['undefined', (all) => put(alarm(all), 'AlarmDescription', `CAUSE: ${undefined}`), /undefined/],
  ],
  'asset that is missing or left over': [
    [
      'a lost asset',
      (all) => stackCalled(all, '-Events').assets.splice(0),
      /PublisherFunction\w+: no asset \w+\.zip/,
    ],
    [
      'an unused asset',
      (all) =>
        stackCalled(all, '-Events').assets.push({ path: '/left', keys: ['left.zip'], files: ['index.js'] }),
      /unused asset \/left/,
    ],
    [
      'an asset without a file',
      (all) => stackCalled(all, '-Events').assets.push({ path: '/lost', keys: [], files: undefined }),
      /nothing at \/lost/,
    ],
    [
      'a handler',
      (all) => put(worker(all), 'Handler', 'main.handler'),
      /no file for the handler main\.handler/,
    ],
  ],
  'name that is there twice': [
    [
      'a name',
      (all) => {
        put(queue(all), 'QueueName', 'events');
        put(resourceOf(all, 'AWS::SQS::Queue', 'Signals'), 'QueueName', 'events');
      },
      /AWS::SQS::Queue "events"/,
    ],
    [
      'a policy on a foreign role',
      (all) => {
        for (const prefix of ['EventsWorker', 'Setup']) {
          put(resourceOf(all, 'AWS::IAM::Policy', prefix), 'Roles', ['reader']);
          put(resourceOf(all, 'AWS::IAM::Policy', prefix), 'PolicyName', 'mayRead');
        }
      },
      /AWS::IAM::Policy "mayRead" \["reader"\]/,
    ],
  ],
} satisfies Breaks;
