import { isDeeperThan, maxBodyDepth } from '../../../contract/text/json.ts';
import {
  type CallRequest,
  type SetupFailure,
  serviceFailure,
  thrownFailure,
  type UnconnectedPorts,
} from './request.ts';

type CallPorts = Pick<UnconnectedPorts, 'readApiKey' | 'api'>;

interface CallAnswer {
  readonly answer: unknown;
  /** The fields of the answer whose value was replaced. */
  readonly redacted: readonly string[];
}

/**
 * Performs any operation of the SMS service with the pipeline's key and token. Refuses the operations whose answers hold a secret.
 * The key, the token, and fields of an answer that are called as a secret is are redacted. Logs nothing: path, body and answer may hold personal data. Never throws.
 */
export async function callService(
  { method, path, body }: CallRequest,
  { readApiKey, api }: CallPorts,
): Promise<CallAnswer | { readonly error: SetupFailure }> {
  const refused = api.isDescribed ? refusalOf(path, api) : undescribed;
  if (refused !== undefined) return { error: { kind: 'refused', message: refused } };
  const ended = new AbortController();
  try {
    const key = await readApiKey();
    if (key.kind === 'error') return { error: key.error };
    const client = api.connect(key.value, ended.signal);
    const result = await client.request(method, path, body);
    if (result.kind === 'error') return { error: serviceFailure(result.error) };
    if (isDeeperThan(maxBodyDepth, result.value)) return { error: tooDeep(method) };
    const removed: string[] = [];
    const answer = client.withoutSecrets(result.value ?? null, (place) => removed.push(place));
    return { answer, redacted: removed };
  } catch (error) {
    return { error: thrownFailure('call', error) };
  } finally {
    ended.abort();
  }
}

const undescribed =
  'The contract has "registration", so it does not say how other operations of the service are called.';

/** What removes secrets recurses. */
const tooDeep = (method: string): SetupFailure => ({
  kind: 'answer-too-deep',
  message: `${method} request: the SMS service answered with JSON of more than ${maxBodyDepth} levels, which is not shown`,
});

/** @param path a plain one, see `isServicePath` */
function refusalOf(path: string, { webhookPath, tokenPath }: CallPorts['api']): string | undefined {
  const [pathname = ''] = path.split('?', 1);
  const plain = decodeURIComponent(pathname).toLowerCase();
  // Also below it, and with an ending: a server may take these for the same.
  if (plain.includes(webhookPath))
    return 'The answer of the webhook holds its signing secret: use webhook status, register, rotate or deactivate.';
  if (plain.includes(tokenPath.toLowerCase()))
    return 'The answer of the token exchange holds a token, and the pipeline fetches its own.';
  return undefined;
}
