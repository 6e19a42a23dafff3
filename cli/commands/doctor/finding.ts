import * as z from 'zod';
import { errorName } from '../../../functions/base/basics.ts';
import { failed, type Verdict, verdictStates } from '../../../functions/query/index.ts';
import { countProgress } from '../../output/progress.ts';
import { CommandFailure, explainError } from '../../target/errors.ts';

/** The JSON document that the command prints. */
export const doctorReport = z.object({
  healthy: z.boolean().describe('Whether no check failed.'),
  checks: z.array(
    z.object({
      check: z.string().describe('The name of the check; it does not change.'),
      state: z.enum(verdictStates),
      found: z.string(),
      hint: z.string().nullable().describe('What to do next; null if nothing is to be done.'),
    }),
  ),
});

export type DoctorReport = z.output<typeof doctorReport>;

export interface Check {
  readonly name: string;
  readonly run: () => Promise<Verdict>;
  /** The time for the check, in milliseconds. */
  readonly limitMs: number;
}

/** Runs checks at the same time, and shows how many have ended. A check that throws or exceeds its time has failed, and stops no other. */
export async function runChecks(
  checks: readonly Check[],
  watched: Parameters<typeof countProgress>[0],
  timeout: (ms: number) => AbortSignal = AbortSignal.timeout,
): Promise<DoctorReport> {
  const progress = countProgress(watched, {
    doing: 'Checking',
    unit: ['check', 'checks'],
    total: checks.length,
  });
  const findings = await Promise.all(
    checks.map(async ({ name, run, limitMs }) => {
      const limit = timeout(limitMs);
      const late = new Promise<never>((_, reject) => {
        limit.addEventListener('abort', () => reject(limit.reason), { once: true });
      });
      const { hint = null, ...verdict } = await Promise.race([run(), late]).catch(explain);
      progress(1);
      return { check: name, ...verdict, hint };
    }),
  );
  return { healthy: findings.every(({ state }) => state !== 'failed'), checks: findings };
}

/** Names of the errors with which AWS services deny a call. */
const denials = /^(AccessDenied|AuthorizationError|UnauthorizedOperation|NotAuthorized|KMSAccessDenied)/;

/** Makes a verdict of an error. A denied call names its permission. */
export function explain(error: unknown): Verdict {
  const name = errorName(error);
  if (error instanceof Error && denials.test(name)) {
    const [, permission] = /perform:? ([\w-]+:\w+)/.exec(error.message) ?? [];
    if (permission !== undefined)
      return failed(
        `not checked: AWS denies you ${permission}`,
        `Allow ${permission} for the user or role that you are signed in with.`,
      );
  }
  if (error instanceof CommandFailure) return failed('not checked', error.message);
  const explanation = explainError(error);
  return explanation === undefined
    ? failed(`not checked: ${name}`, 'This may be a bug of this command. Run it again.')
    : failed('not checked', explanation);
}
