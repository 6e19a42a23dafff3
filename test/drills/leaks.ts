import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetSecretValueCommand, ListSecretVersionIdsCommand } from '@aws-sdk/client-secrets-manager';
import { parseSecretDocument } from '../../functions/core/webhook/secret-document.ts';
import type { LocalPipeline } from '../support/local-pipeline.ts';

/** Every signing secret the pipeline has stored so far, and the beginnings of the sandbox's API key and tokens. */
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
    if (!parsed.ok) throw new Error(`a version of the webhook secret: ${parsed.problems.join('; ')}`);
    const { current, previous } = parsed.document;
    for (const secret of [current.secret, previous?.secret ?? current.secret]) {
      secrets.add(secret);
      // Without the prefix that says what it is.
      secrets.add(secret.replace(/^whsec_/, ''));
    }
  }
  return secrets;
}

/** Places where one of the secrets stands, by name; a place is a name and its text. */
export function findLeaks(places: ReadonlyMap<string, string>, secrets: Iterable<string>): string[] {
  const all = [...secrets];
  return [...places].filter(([, text]) => all.some((secret) => text.includes(secret))).map(([name]) => name);
}

/** The logs of a run, and what it has printed. */
export function outputOf({ directory, printed }: LocalPipeline): Map<string, string> {
  const logs = join(directory, 'logs');
  const files = readdirSync(logs).map((name) => [name, readFileSync(join(logs, name), 'utf8')] as const);
  return new Map([...files, ['npm start', printed()]]);
}
