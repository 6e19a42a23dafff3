import type { z } from 'zod';
import { compileExpression } from '../events/expression.ts';
import type { Contract } from './contract.ts';
import { checkSamples } from './samples.ts';
import { contractSchema } from './schema.ts';

/** Thrown for a contract that does not hold; the message names each wrong path and what was expected there. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  /** One line a problem: `path: what was expected`. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The contract is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** What to do about samples that do not hold and stand in another file. */
export function inheritedSamplesHint(from: string): string {
  return `samples: these are inherited from ${from}, and show what that describes. If your service does it differently, put samples of your own into the contract: they replace all of these`;
}

/**
 * Validates a contract: its shape, then its expressions, then its samples, which must become what they say.
 *
 * @param json the parsed content of `contract.json`
 * @param samplesFrom what its samples are inherited from, if they are
 * @throws ContractError naming every problem of the first of these steps that fails
 */
export function parseContract(json: unknown, samplesFrom?: string): Contract {
  const contract = parseRules(json);
  const samples = checkSamples(contract);
  if (samples.length > 0)
    throw new ContractError([
      ...samples,
      ...(samplesFrom === undefined ? [] : [inheritedSamplesHint(samplesFrom)]),
    ]);
  return contract;
}

/**
 * As {@link parseContract}, whether its samples hold or not.
 *
 * @throws ContractError as parseContract
 */
export function parseRules(json: unknown): Contract {
  const parsed = contractSchema.safeParse(json);
  if (!parsed.success) throw new ContractError(parsed.error.issues.flatMap(describeIssue));
  const problems = expressionProblems(parsed.data);
  if (problems.length > 0) throw new ContractError(problems);
  return parsed.data;
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.map(String).join('.') || '(the whole file)';
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(
      (key) => `${[...issue.path, key].map(String).join('.')}: not a key of the contract; remove it`,
    );
  return [`${path}: ${issue.message.replace(/^Invalid input: /, '')}`];
}

function expressionProblems(contract: Contract): string[] {
  const { status, reply, list, kind, id } = contract.events;
  const { accessToken, expiresIn } = contract.service.token.exchange;
  const expressions: Record<string, string | null> = {
    'service.token.exchange.accessToken': accessToken,
    'service.token.exchange.expiresIn': expiresIn,
    'events.list': list,
    'events.kind': kind,
    'events.id.path': id.from === 'body' ? id.path : null,
    ...prefixed('events.status', status),
    ...prefixed('events.reply', reply),
  };
  return Object.entries(expressions).flatMap(([path, text]) => {
    if (text === null) return [];
    const problem = syntaxProblem(text);
    return problem === undefined ? [] : [`${path}: expected a JMESPath expression: ${problem}`];
  });
}

function prefixed(
  prefix: string,
  fields: Readonly<Record<string, string | null>>,
): Record<string, string | null> {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [`${prefix}.${name}`, text]));
}

function syntaxProblem(text: string): string | undefined {
  try {
    compileExpression(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
