import { CursorError } from '../core/history/cursor.ts';
import { EmptyRangeError } from '../core/history/listing.ts';
import { PathEncodingError } from '../core/query/path.ts';
import { type Problem, problem } from '../core/query/problem.ts';
import { ParametersError } from './read-question.ts';

/** How DynamoDB and its client say that they cannot answer now, but may soon. */
const passing = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'LimitExceededException',
  'TimeoutError',
  'InternalServerError',
  'ServiceUnavailable',
  'ServiceUnavailableException',
]);

/** How the network does. */
const passingCodes = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN']);

/** What a question failed with, as its asker is told; of what went wrong here nothing but that it did. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ParametersError) return wrongParameters(error.problems);
  if (error instanceof CursorError) return wrongParameters([{ parameter: 'cursor', detail: error.message }]);
  if (error instanceof EmptyRangeError)
    return wrongParameters([{ parameter: 'since', detail: error.message }]);
  if (error instanceof PathEncodingError) return problem('invalid-path', error.message);
  if (isPassing(error)) return problem('unavailable', 'Ask again in a moment.');
  return problem('internal', 'The cause is in the log of the function.');
}

function wrongParameters(problems: ParametersError['problems']): Problem {
  const count = problems.length === 1 ? 'One parameter is' : `${problems.length} parameters are`;
  return problem('invalid-parameters', `${count} wrong: see errors.`, problems);
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return passing.has(error.name) || passingCodes.has(code);
}
