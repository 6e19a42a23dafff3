import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { AwsError } from '../../aws-protocol/aws-json.ts';
import { arnOf } from '../../aws-protocol/call.ts';
import { Secret, type SecretValue, type SecretVersion } from './secret.ts';

const value = { SecretString: z.string().optional(), SecretBinary: z.string().optional() };
const token = { ClientRequestToken: z.string().min(32).max(64).optional() };
const secretId = { SecretId: z.string().min(1) };

const createSecret = z.looseObject({
  Name: z.string().min(1),
  Description: z.string().optional(),
  ...value,
  ...token,
});
const putSecretValue = z.looseObject({
  ...secretId,
  ...value,
  ...token,
  VersionStages: z.array(z.string()).min(1).default(['AWSCURRENT']),
});
const getSecretValue = z.looseObject({
  ...secretId,
  VersionId: z.string().optional(),
  VersionStage: z.string().optional(),
});
const oneSecret = z.looseObject(secretId);
const listVersions = z.looseObject({ ...secretId, IncludeDeprecated: z.boolean().default(false) });
const updateStage = z.looseObject({
  ...secretId,
  VersionStage: z.string().min(1),
  RemoveFromVersionId: z.string().optional(),
  MoveToVersionId: z.string().optional(),
});

type Operation = (input: unknown) => object;

/**
 * Secrets Manager on one machine, in memory: the operations that the functions use, with AWS's answers, errors and staging labels. `now` returns
 * seconds since the epoch.
 */
export class SecretsManager {
  readonly #secrets = new Map<string, Secret>();
  readonly #now: () => number;

  /** The operations by the name that follows `secretsmanager.` in `X-Amz-Target`. */
  readonly operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
    ['CreateSecret', (input) => this.create(createSecret.parse(input))],
    ['PutSecretValue', (input) => this.#put(putSecretValue.parse(input))],
    ['GetSecretValue', (input) => this.#get(getSecretValue.parse(input))],
    ['DescribeSecret', (input) => this.#describe(oneSecret.parse(input))],
    ['ListSecrets', () => ({ SecretList: [...this.#secrets.values()].map(listEntry) })],
    ['ListSecretVersionIds', (input) => this.#listVersions(listVersions.parse(input))],
    ['UpdateSecretVersionStage', (input) => this.#updateStage(updateStage.parse(input))],
  ]);

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws AwsError if the secret exists */
  create(input: z.input<typeof createSecret>): { ARN: string; Name: string; VersionId?: string } {
    if (this.#secrets.has(input.Name)) {
      throw new AwsError(
        'ResourceExistsException',
        `The operation failed because the secret ${input.Name} already exists.`,
      );
    }
    // AWS ends the ARN with a hyphen and six random characters.
    const suffix = randomUUID().slice(0, 6);
    const arn = arnOf('secretsmanager', `secret:${input.Name}-${suffix}`);
    const secret = new Secret(input.Name, arn, input.Description, this.#now());
    this.#secrets.set(input.Name, secret);
    const content = contentOf(input);
    if (!content) return { ARN: secret.arn, Name: secret.name };
    const version = secret.put(
      input.ClientRequestToken ?? randomUUID(),
      content,
      ['AWSCURRENT'],
      this.#now(),
    );
    return { ARN: secret.arn, Name: secret.name, VersionId: version.id };
  }

  #put(input: z.infer<typeof putSecretValue>): object {
    const secret = this.#find(input.SecretId);
    const content = contentOf(input);
    if (!content) {
      throw new AwsError('InvalidRequestException', 'You must provide either SecretString or SecretBinary.');
    }
    const id = input.ClientRequestToken ?? randomUUID();
    const version = secret.put(id, content, input.VersionStages, this.#now());
    return { ...versionHead(secret, version) };
  }

  #get(input: z.infer<typeof getSecretValue>): object {
    const secret = this.#find(input.SecretId);
    const version = secret.find(input.VersionId, input.VersionStage);
    return {
      ...versionHead(secret, version),
      SecretString: version.string,
      SecretBinary: version.binary,
      CreatedDate: version.createdAt,
    };
  }

  #describe(input: z.infer<typeof oneSecret>): object {
    const secret = this.#find(input.SecretId);
    const stages = secret.versions(false).map((version) => [version.id, secret.stagesOf(version.id)]);
    return {
      ...listEntry(secret),
      VersionIdsToStages: stages.length > 0 ? Object.fromEntries(stages) : undefined,
    };
  }

  #listVersions(input: z.infer<typeof listVersions>): object {
    const secret = this.#find(input.SecretId);
    const versions = secret.versions(input.IncludeDeprecated).map((version) => ({
      VersionId: version.id,
      VersionStages: secret.stagesOf(version.id),
      CreatedDate: version.createdAt,
    }));
    return { ARN: secret.arn, Name: secret.name, Versions: versions };
  }

  #updateStage(input: z.infer<typeof updateStage>): object {
    const secret = this.#find(input.SecretId);
    secret.moveStage(input.VersionStage, input.RemoveFromVersionId, input.MoveToVersionId, this.#now());
    return { ARN: secret.arn, Name: secret.name };
  }

  /** Finds a secret by name, by ARN, or by ARN without its random ending. */
  #find(id: string): Secret {
    const secret =
      this.#secrets.get(id) ??
      [...this.#secrets.values()].find(({ arn }) => arn === id || arn.slice(0, -'-xxxxxx'.length) === id);
    if (!secret) {
      throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    }
    return secret;
  }
}

function contentOf(input: {
  SecretString?: string | undefined;
  SecretBinary?: string | undefined;
}): SecretValue | undefined {
  const { SecretString: string, SecretBinary: binary } = input;
  if (string !== undefined && binary !== undefined) {
    throw new AwsError(
      'InvalidParameterException',
      "You can't specify both a binary secret value and a string secret value in the same secret.",
    );
  }
  if (string !== undefined) return { string };
  return binary === undefined ? undefined : { binary };
}

function versionHead(secret: Secret, version: SecretVersion): object {
  return {
    ARN: secret.arn,
    Name: secret.name,
    VersionId: version.id,
    VersionStages: secret.stagesOf(version.id),
  };
}

function listEntry(secret: Secret): object {
  return {
    ARN: secret.arn,
    Name: secret.name,
    Description: secret.description,
    CreatedDate: secret.createdAt,
    LastChangedDate: secret.changedAt,
  };
}
