import { projectContract, projectFolder } from '../../../contract/document/project-store.ts';
import { mainSource } from '../../../contract/events/source-id.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import type { Clock } from '../../../functions/base/basics.ts';
import { namingSource } from '../../../functions/base/commands-of-source.ts';
import { judgeVerified, type NamedVerdict, type Verdict, worstOf } from '../../../functions/query/index.ts';
import { readContractIfAny } from '../../input/contract-file.ts';
import type { Connection, Target } from '../../target/connection.ts';
import type { Context } from '../../target/context.ts';
import { readLookupStatus } from '../../target/stack/lookup-function.ts';
import { readReport } from '../../target/stack/setup-function.ts';
import { suggest } from '../../target/suggest.ts';
import { judgeDriftOf } from './contract-drift.ts';
import type { Check } from './finding.ts';
import { judgeLookups } from './lookups.ts';
import { judgeApiKey, judgeCapture, judgeReconcile, judgeSecret, judgeWebhookUrl } from './service.ts';
import { judgeSignature } from './signature.ts';

/** Returns one check for each source but `main`. With `--source` every check is about that source, and there are none. */
export async function checksOfFurtherSources(
  target: Target,
  connection: Connection,
  { connect, clock }: Pick<Context, 'connect' | 'clock'>,
  limitMs: number,
): Promise<readonly Check[]> {
  if (target.source !== undefined) return [];
  // The check outputs says what is wrong with the stack.
  const names = await connection.sources().catch((): readonly string[] => []);
  return names
    .filter((name) => name !== mainSource)
    .map((name) => ({
      name: `source-${name}`,
      limitMs,
      run: async () => {
        const ofSource = { ...target, source: name };
        const contract = await readContractIfAny(projectContract(projectFolder, name), false);
        const verdict = await judgeSource(connect(ofSource), name, contract, clock);
        const advice = `Every check of it: ${suggest(ofSource, 'doctor')}`;
        return verdict.hint === undefined
          ? verdict
          : { ...verdict, hint: `${namingSource(verdict.hint, name)}\n${advice}` };
      },
    }));
}

/** Judges the webhook, the secret and the lookups of a source by the worst that it finds. */
async function judgeSource(
  connection: Connection,
  source: string,
  contract: Contract | undefined,
  clock: Clock,
): Promise<Verdict> {
  const report = await readReport(await connection.invokeSetup({ action: 'status' }));
  const stack = await (await connection.inspection()).stack();
  const hasLookups = stack?.outputs.LookupFunctionName !== undefined;
  const now = clock();
  return worstOf([
    ['api-key', judgeApiKey(report, hasLookups)],
    ['webhook-url', judgeWebhookUrl(report, await connection.webhookUrl())],
    ['webhook-secret', judgeSecret(report, contract?.webhook.signature.scheme, now)],
    ['reconcile', judgeReconcile(report, now)],
    ['verified', judgeVerified(report, now)],
    ...(contract === undefined ? [] : [['signature', judgeSignature(contract)] satisfies NamedVerdict]),
    ...(hasLookups
      ? ([
          [
            'lookups',
            judgeLookups(readLookupStatus(await connection.invokeLookups({ action: 'status' })), now),
          ],
        ] satisfies NamedVerdict[])
      : []),
    ['contract-drift', await judgeDriftOf(connection, source, now)],
    ['capture', judgeCapture(await (await connection.captureSwitch()).until(), now)],
  ]);
}
