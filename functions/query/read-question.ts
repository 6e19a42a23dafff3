import type * as z from 'zod';
import type { ParameterProblem } from '../core/query/problem.ts';

/** Thrown for a question with wrong parameters; names every one of them. */
export class ParametersError extends Error {
  override readonly name = 'ParametersError';
  readonly problems: readonly ParameterProblem[];

  constructor(problems: readonly ParameterProblem[]) {
    super(`${problems.length} parameters are wrong`);
    this.problems = problems;
  }
}

/** What a question is asked with. */
export interface Asked {
  /** From the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** As the event tells it: without the question mark, percent-encoded. */
  readonly rawQueryString: string;
}

/** The schemas of a route. */
export interface QuestionSchemas<P extends z.ZodObject, Q extends z.ZodObject> {
  readonly parameters: P;
  readonly query: Q;
}

/**
 * Validates the parameters of a question, all of them at once.
 *
 * @throws ParametersError
 */
export function readQuestion<P extends z.ZodObject, Q extends z.ZodObject>(
  { parameters, query }: QuestionSchemas<P, Q>,
  asked: Asked,
): z.output<P> & z.output<Q> {
  const given = new URLSearchParams(asked.rawQueryString);
  const path = parameters.safeParse(asked.parameters);
  const rest = query.safeParse(Object.fromEntries(given));
  const known = Object.keys(query.shape);
  const problems: ParameterProblem[] = known
    .filter((name) => given.getAll(name).length > 1)
    .map((parameter) => ({ parameter, detail: 'given more than once' }));
  for (const { issues } of [path.error, rest.error].filter((error) => error !== undefined))
    problems.push(...issues.flatMap((issue) => problemsOf(issue, known)));
  if (path.success && rest.success && problems.length === 0) return { ...path.data, ...rest.data };
  throw new ParametersError(withoutRepeats(problems));
}

function problemsOf(issue: z.core.$ZodIssue, known: readonly string[]): ParameterProblem[] {
  if (issue.code !== 'unrecognized_keys')
    return [{ parameter: String(issue.path[0]), detail: issue.message }];
  const accepted = known.length === 0 ? 'there is none here' : `there are ${known.join(', ')}`;
  return issue.keys.map((key) => ({
    parameter: nameOf(key),
    detail: `no such parameter: ${accepted}`,
  }));
}

/** The name of a parameter as it was given, unless it is something else: an unknown one may hold a phone number. */
function nameOf(name: string): string {
  return /^[A-Za-z][\w-]{0,39}$/.test(name) && !/\d{4}/.test(name) ? name : '(unknown)';
}

/** Each word of a list that is wrong is an issue of its own. */
function withoutRepeats(problems: readonly ParameterProblem[]): ParameterProblem[] {
  return [...new Map(problems.map((one) => [`${one.parameter} ${one.detail}`, one])).values()];
}
