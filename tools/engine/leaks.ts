import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetSecretValueCommand, ListSecretVersionIdsCommand } from '@aws-sdk/client-secrets-manager';
import { parseSecretDocument } from '../../functions/registration/index.ts';
import type { LocalPipeline } from '../support/local-pipeline.ts';

/** Returns every signing secret that the pipeline has stored, and the beginnings of the sandbox's API key and tokens. */
export async function everySecret({ secretsManager, outputs }: LocalPipeline): Promise<Set<string>> {
  const secrets = new Set(['local-api-key', 'sandbox-token-']);
  const { WebhookSecretId: SecretId } = outputs;
  const { Versions = [] } = await secretsManager.send(
    new ListSecretVersionIdsCommand({ SecretId, IncludeDeprecated: true }),
  );
  for (const { VersionId } of Versions) {
    const { SecretString = '' } = await secretsManager.send(
      new GetSecretValueCommand({ SecretId, VersionId }),
    );
    const parsed = parseSecretDocument(JSON.parse(SecretString));
    if (parsed.kind === 'error')
      throw new Error(`a version of the webhook secret: ${parsed.problems.join('; ')}`);
    const { current, previous, retired = [] } = parsed.document;
    for (const { secret } of [current, ...(previous === undefined ? [] : [previous]), ...retired]) {
      secrets.add(secret);
      // The search must also find a secret without its prefix.
      secrets.add(secret.replace(/^whsec_/, ''));
    }
  }
  return secrets;
}

/** Returns the names of the places whose text holds one of the secrets, as it is or URL-encoded. */
export function findLeaks(places: ReadonlyMap<string, string>, secrets: Iterable<string>): string[] {
  const forms = [...secrets].flatMap((secret) => {
    const encoded = encodeURIComponent(secret);
    return [secret, encoded, encoded.replace(/%../g, (byte) => byte.toLowerCase())];
  });
  return [...places].filter(([, text]) => forms.some((form) => text.includes(form))).map(([name]) => name);
}

/**
 * Returns the logs and the output of a run.
 *
 * @param mustHaveLogged functions whose logs the search needs to prove anything
 * @throws when one of these has logged nothing
 */
export function outputOf(
  { directory, printed }: Pick<LocalPipeline, 'directory' | 'printed'>,
  mustHaveLogged: readonly string[],
): Map<string, string> {
  const logs = join(directory, 'logs');
  const files = readdirSync(logs).map((name) => [name, readFileSync(join(logs, name), 'utf8')] as const);
  for (const part of mustHaveLogged)
    if (!files.some(([name, text]) => name.includes(part) && text.trim() !== ''))
      throw new Error(`no log of ${part}, or an empty one`);
  return new Map([...files, ['npm start', printed()]]);
}
