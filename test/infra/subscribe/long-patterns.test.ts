import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, it } from 'vitest';
import { Target } from '../../../lib/public/index.ts';
import { userStack } from './support.ts';

const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => `+1202555${String(index).padStart(4, '0')}`);

/** Subscribes to replies of so many numbers. */
function subscribe(count: number) {
  const { stack, pipeline } = userStack();
  pipeline.onReply(Target.sqs(new Queue(stack, 'Queue')), { from: numbers(count) });
  return Annotations.fromStack(stack);
}

it('a pattern that no account may have is refused, without the numbers in it', () => {
  expect(() => subscribe(300)).toThrow(
    /onReply is wrong:\n {2}the filter: found a pattern of 4\d{3} characters, expected at most 2048: give fewer values/,
  );
  expect(() => subscribe(300)).not.toThrow(/\+1202555/);
});

it('a pattern that only an account with a raised quota may have brings a warning', () => {
  subscribe(200).hasWarning(
    '*',
    Match.stringLikeRegexp('has 2\\d{3}|3\\d{3} characters.*Event pattern size'),
  );
  subscribe(100).hasNoWarning('*', Match.stringLikeRegexp('Event pattern size'));
});
