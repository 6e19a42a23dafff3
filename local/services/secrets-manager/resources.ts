import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { parseJson } from '../../aws-protocol/http.ts';
import { type CreateResource, physicalName } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties, TemplateError, wholeNumber } from '../../cloudformation/template.ts';
import type { RunningService } from '../definition/define-service.ts';
import { SecretsManager } from './api.ts';

/** `GenerateSecretString` of AWS::SecretsManager::Secret. */
export const generatedSecretSchema = z.strictObject({
  SecretStringTemplate: z.string().optional(),
  GenerateStringKey: z.string().min(1).optional(),
  PasswordLength: wholeNumber.min(1).max(4096).default(32),
  ExcludeCharacters: z.string().default(''),
  ExcludeLowercase: z.boolean().default(false),
  ExcludeUppercase: z.boolean().default(false),
  ExcludeNumbers: z.boolean().default(false),
  ExcludePunctuation: z.boolean().default(false),
  IncludeSpace: z.boolean().default(false),
  RequireEachIncludedType: z.boolean().default(true),
});

type GeneratedSecret = z.output<typeof generatedSecretSchema>;

/** A whole number from 0 up to, not including, `below`. */
type RandomInt = (below: number) => number;

const templateSchema = z.record(z.string(), z.unknown());

/**
 * Makes a random password, alone or as a further member of a JSON template, as CloudFormation does.
 * @throws TemplateError for a template that is not a JSON object, or settings that allow no password
 */
export function generateSecretString(secret: GeneratedSecret, randomInt: RandomInt): string {
  const { SecretStringTemplate: template, GenerateStringKey: key } = secret;
  if ((template === undefined) !== (key === undefined)) {
    throw new TemplateError('SecretStringTemplate and GenerateStringKey go together');
  }
  const password = generatePassword(secret, randomInt);
  if (template === undefined || key === undefined) return password;
  return JSON.stringify({ ...readTemplate(template), [key]: password });
}

function readTemplate(text: string): z.output<typeof templateSchema> {
  const { data } = templateSchema.safeParse(parseJson(text));
  if (!data) throw new TemplateError('SecretStringTemplate is not a JSON object');
  return data;
}

function generatePassword(secret: GeneratedSecret, randomInt: RandomInt): string {
  const types = [
    secret.ExcludeLowercase ? '' : 'abcdefghijklmnopqrstuvwxyz',
    secret.ExcludeUppercase ? '' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    secret.ExcludeNumbers ? '' : '0123456789',
    secret.ExcludePunctuation ? '' : '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    secret.IncludeSpace ? ' ' : '',
  ]
    .map((type) => [...type].filter((character) => !secret.ExcludeCharacters.includes(character)))
    .filter((type) => type.length > 0);
  const required = secret.RequireEachIncludedType ? types : [];
  const length = secret.PasswordLength;
  if (types.length === 0 || length < required.length) {
    throw new TemplateError('GenerateSecretString excludes so much that no password is left');
  }
  const any = types.flat();
  const pick = (characters: readonly string[]): string => characters[randomInt(characters.length)] ?? '';
  const picked = [
    ...required.map(pick),
    ...Array.from({ length: length - required.length }, () => pick(any)),
  ];
  // Fisher-Yates, so that a position does not reveal the type of its character.
  for (let last = picked.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [picked[last], picked[other]] = [picked[other] ?? '', picked[last] ?? ''];
  }
  return picked.join('');
}

export function startSecretsManager() {
  const secrets = new SecretsManager(() => Date.now() / 1000);
  const operations = [...secrets.operations].map(
    ([name, operation]) => [`secretsmanager.${name}`, operation] as const,
  );
  return {
    secrets,
    operations: new Map(operations),
    resources: { 'AWS::SecretsManager::Secret': secretCreator(secrets) },
    inertTypes: ['AWS::SecretsManager::ResourcePolicy'],
  } satisfies RunningService & { secrets: SecretsManager };
}

const schema = z.strictObject({
  Name: z.string().optional(),
  Description: z.string().optional(),
  SecretString: z.string().optional(),
  GenerateSecretString: generatedSecretSchema.optional(),
  KmsKeyId: inert,
  Tags: inert,
});

function secretCreator(secrets: SecretsManager): CreateResource {
  return async (request) => {
    const { Name, Description, SecretString, GenerateSecretString } = readProperties(schema, request);
    if (SecretString !== undefined && GenerateSecretString !== undefined) {
      throw new TemplateError('a secret has a SecretString or a GenerateSecretString, not both');
    }
    const { ARN } = secrets.create({
      Name: Name ?? physicalName(request, 512),
      Description,
      SecretString:
        GenerateSecretString === undefined
          ? SecretString
          : generateSecretString(GenerateSecretString, randomInt),
    });
    return { ref: ARN, attributes: { Id: ARN } };
  };
}
