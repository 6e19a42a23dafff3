import { createSignedFetch, type SignedFetchSettings } from '../../client/signed-fetch.ts';
import { personOfArn } from '../../functions/query/index.ts';

/** STS is asked for a name only, which a command does not wait for long. */
const timeoutMs = 5000;

/** What AWS answers about a caller. */
export interface CallerIdentity {
  /** The end of the ARN, such as `assumed-role/Support/ann`, with what may be a phone number masked; undefined if AWS names nothing. */
  readonly person: string | undefined;
  /** The number of the account. */
  readonly account?: string;
  /** AWS's own time to the second, in epoch milliseconds; undefined without an answer. An error has it too. */
  readonly now: number | undefined;
}

type Settings = Pick<SignedFetchSettings, 'region' | 'credentials' | 'fetch' | 'clock'>;

/** Asks AWS whose keys the command uses. `sts:GetCallerIdentity` needs no permission. */
export async function callerIdentity(settings: Settings): Promise<CallerIdentity> {
  const answered = await ask(settings);
  const { person, now } = answered;
  // AWS refuses a signature of a wrong clock. The answer has the right time.
  return person === undefined && now !== undefined ? await ask({ ...settings, clock: () => now }) : answered;
}

async function ask(settings: Settings): Promise<CallerIdentity> {
  const { region } = settings;
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const send = createSignedFetch({ ...settings, service: 'sts' });
  try {
    const answer = await send(
      `https://sts.${region}.${domain}/?Action=GetCallerIdentity&Version=2011-06-15`,
      { signal: AbortSignal.timeout(timeoutMs) },
    );
    const text = await answer.text();
    const [, arn] = /<Arn>([^<]{1,2048})<\/Arn>/.exec(text) ?? [];
    const [, account] = /<Account>(\d{12})<\/Account>/.exec(text) ?? [];
    const now = Date.parse(answer.headers.get('date') ?? '');
    return {
      person: answer.ok && arn !== undefined ? personOfArn(arn) : undefined,
      ...(answer.ok && account !== undefined && { account }),
      now: Number.isNaN(now) ? undefined : now,
    };
  } catch {
    // Without network to STS the entry has no name, which the command says.
    return { person: undefined, now: undefined };
  }
}
