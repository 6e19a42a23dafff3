import { createSignedFetch, type SignedFetchSettings } from '../../client/signed-fetch.ts';
import { personOfArn } from '../../functions/query/index.ts';

/** STS is asked for a name only, which a command does not wait for long. */
const timeoutMs = 5000;

/**
 * Asks AWS whose keys the command uses. `sts:GetCallerIdentity` needs no permission.
 *
 * @returns the end of the ARN, such as `assumed-role/Support/ann`, with what may be a phone number masked; undefined without an answer
 */
export async function callerName(
  settings: Pick<SignedFetchSettings, 'region' | 'credentials' | 'fetch' | 'clock'>,
): Promise<string | undefined> {
  const { region } = settings;
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const send = createSignedFetch({ ...settings, service: 'sts' });
  try {
    const answer = await send(
      `https://sts.${region}.${domain}/?Action=GetCallerIdentity&Version=2011-06-15`,
      { signal: AbortSignal.timeout(timeoutMs) },
    );
    const [, arn] = /<Arn>([^<]{1,2048})<\/Arn>/.exec(await answer.text()) ?? [];
    return answer.ok && arn !== undefined ? personOfArn(arn) : undefined;
  } catch {
    // Without network to STS the entry has no name, which the command says.
    return undefined;
  }
}
