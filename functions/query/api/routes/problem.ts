import * as z from 'zod';
import { omitUndefined } from '../../../base/basics.ts';

/** The JSON of a problem (RFC 9457). */
export const problemSchema = z
  .object({
    type: z.string().meta({
      format: 'uri',
      description: 'Which problem it is; stays the same.',
      examples: ['urn:sms-event-pipeline:problem:invalid-parameters'],
    }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z
      .array(z.object({ parameter: z.string(), detail: z.string() }))
      .exactOptional()
      .describe('Every parameter that is wrong, and what was expected.'),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457).' });

/** A parameter that is wrong. */
export interface ParameterProblem {
  readonly parameter: string;
  /** The expected value; never the actual one, which may be a phone number. */
  readonly detail: string;
}

/** Thrown for a query with wrong parameters. It names all of them. */
export class ParametersError extends Error {
  override readonly name = 'ParametersError';
  readonly problems: readonly ParameterProblem[];

  constructor(problems: readonly ParameterProblem[]) {
    super(`${problems.length} parameters are wrong`);
    this.problems = problems;
  }
}

/** Problem details (RFC 9457). */
export interface Problem {
  readonly type: `urn:sms-event-pipeline:problem:${ProblemName}`;
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly ParameterProblem[];
}

const kinds = {
  'invalid-path': { status: 400, title: 'The path cannot be read' },
  'invalid-parameters': { status: 400, title: 'Parameters are wrong' },
  'ambiguous-id': { status: 400, title: 'Several sources use this id' },
  'not-permitted': { status: 403, title: 'You may not do this' },
  'no-such-path': { status: 404, title: 'There is nothing at this path' },
  'unknown-message': { status: 404, title: 'No such message' },
  'unknown-conversation': { status: 404, title: 'No such conversation' },
  'unknown-send': { status: 404, title: 'No such send' },
  'insights-off': { status: 404, title: 'This pipeline counts nothing' },
  'unknown-quarantine-entry': { status: 404, title: 'No such quarantine entry' },
  'method-not-allowed': { status: 405, title: 'This method is not answered here' },
  internal: { status: 500, title: 'The query could not be answered' },
  unavailable: { status: 503, title: 'The database does not answer in time' },
} as const satisfies Record<string, Pick<Problem, 'status' | 'title'>>;

export type ProblemName = keyof typeof kinds;

/** @param detail the cause and the remedy, in a sentence */
export function problem(name: ProblemName, detail: string, errors?: readonly ParameterProblem[]): Problem {
  return {
    type: `urn:sms-event-pipeline:problem:${name}`,
    ...kinds[name],
    detail,
    ...omitUndefined({ errors }),
  };
}
