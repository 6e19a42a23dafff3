import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import type { Secrets } from '../../contract/discovery/captured/capture.ts';
import { secretsAcceptedAt } from '../../functions/webhook/secret-document.ts';
import type { Context } from '../target/context.ts';
import { CommandFailure } from '../target/errors.ts';
import { notEmpty, type TargetOptions, targetOf } from './options.ts';

export interface SecretOptions {
  readonly secretFile?: string;
  readonly secret?: string;
  readonly secretFromService?: true;
}

/** Three ways to name the webhook's secret, of which the first two leave no trace. */
export function addSecretOptions(command: Command): Command {
  return command
    .option(
      '--secret-file <file>',
      'a file with the webhook secret, or the public key, and nothing else; "-" is stdin',
      notEmpty,
    )
    .addOption(
      new Option('--secret-from-service', 'the secrets that the pipeline keeps').conflicts('secretFile'),
    )
    .addOption(
      new Option('--secret <text>', "the secret itself; it stays in the shell's history")
        .conflicts(['secretFile', 'secretFromService'])
        .argParser(notEmpty),
    );
}

/** @throws CommandFailure where the file cannot be read or is empty, or the pipeline has no secret */
export async function readSecrets(
  { secretFile, secret, secretFromService, ...target }: SecretOptions & TargetOptions,
  context: Context,
): Promise<Secrets> {
  if (secretFromService === true) {
    const document = await context.connect(targetOf(target)).webhookSecret();
    if (document === undefined)
      throw new CommandFailure(
        'The pipeline has no secret: no webhook was registered yet (webhook register).',
      );
    return (receivedAt) => secretsAcceptedAt(document, receivedAt);
  }
  if (secret !== undefined) {
    context.terminal.err(
      "warning: a secret on the command line stays in the shell's history, and others on this machine can see it; --secret-file - reads it from stdin.\n",
    );
    return () => [secret];
  }
  if (secretFile === undefined) return () => [];
  const fromFile = await readSecretFile(secretFile);
  return () => [fromFile];
}

/**
 * Without the line break that editors and echo add.
 *
 * @param path "-" is stdin
 * @throws CommandFailure where the file cannot be read or is empty
 */
export async function readSecretFile(path: string): Promise<string> {
  let text: string;
  try {
    text = path === '-' ? await readAll(process.stdin) : await readFile(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
    throw new CommandFailure(
      `${path}: cannot be read (${error.code}); --secret-file names the secret's file`,
    );
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret.trim() === '') throw new CommandFailure(`${path === '-' ? 'stdin' : path}: holds no secret`);
  return secret;
}
