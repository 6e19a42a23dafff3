import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { buffer as readBytes } from 'node:stream/consumers';
import { Option } from 'commander';
import type { Secrets } from '../../discovery/captured/capture.ts';
import { secretsAcceptedAt } from '../../functions/registration/index.ts';
import type { Context } from '../target/context.ts';
import { CommandFailure, explainFileErrors } from '../target/errors.ts';
import { suggest } from '../target/suggest.ts';
import type { Command } from './command.ts';
import { notEmpty, type TargetOptions, targetOf } from './options.ts';

export interface SecretOptions {
  readonly secretFile?: string;
  readonly secret?: string;
  readonly secretFromService?: true;
}

/** Adds three ways to pass the webhook's secret; --secret leaves a trace in the shell's history. */
export function addSecretOptions(command: Command): Command {
  return command
    .option('--secret-file <file>', 'a file with the secret, or public key, alone; "-" is stdin', notEmpty)
    .addOption(
      new Option('--secret-from-service', 'the secrets that the pipeline has stored').conflicts('secretFile'),
    )
    .addOption(
      new Option('--secret <text>', "the secret itself; it stays in the shell's history")
        .conflicts(['secretFile', 'secretFromService'])
        .argParser(notEmpty),
    );
}

/** @throws CommandFailure if the file cannot be read or is empty, or the pipeline has no secret */
export async function readSecrets(
  { secretFile, secret, secretFromService, ...target }: SecretOptions & TargetOptions,
  context: Context,
): Promise<Secrets> {
  if (secretFromService === true) {
    const chosen = targetOf(target);
    const document = await context.connect(chosen).webhookSecret();
    if (document === undefined)
      throw new CommandFailure(
        `The pipeline has no secret: no webhook was registered yet. Register it: ${suggest(chosen, 'webhook register')}`,
      );
    return (receivedAt) => secretsAcceptedAt(document, receivedAt);
  }
  if (secret !== undefined) {
    context.terminal.err(
      "warning: a secret on the command line stays in the shell's history, and other users of this machine can see it; --secret-file - reads it from stdin.\n",
    );
    const text = secretOf(Buffer.from(secret), '--secret');
    return () => [text];
  }
  if (secretFile === undefined) return () => [];
  const fromFile = await readSecretFile(secretFile);
  return () => [fromFile];
}

/**
 * Reads a secret without the line break that editors and echo add, and without the byte order mark that editors of Windows add.
 *
 * @param path "-" is stdin
 * @throws CommandFailure if the file cannot be read or holds no secret
 */
export async function readSecretFile(path: string): Promise<string> {
  const bytes = await explainFileErrors(
    (code) => `${path}: cannot be read (${code}); --secret-file names the secret's file`,
    () => (path === '-' ? readBytes(process.stdin) : readFile(path)),
  );
  return secretOf(bytes, path === '-' ? 'stdin' : path);
}

/** No service has a longer secret or key, and Secrets Manager keeps 64 KiB for all secrets together. */
const maxBytes = 8192;

/** @param from what the bytes come from: a file or an option @throws CommandFailure if they are not a secret */
function secretOf(bytes: Buffer, from: string): string {
  const secret = bytes
    .toString()
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n$/, '');
  const problem = problemOf(bytes, secret);
  if (problem !== undefined) throw new CommandFailure(`${from}: ${problem}`);
  return secret;
}

/**
 * Says why bytes are not a secret. Only a key in PEM has several lines. An invisible character would become a part of the secret, and no check
 * would find it, because doctor and the sample events sign with it too.
 */
function problemOf(bytes: Buffer, secret: string): string | undefined {
  if (bytes.length > maxBytes) return `holds ${bytes.length} bytes; a secret has at most ${maxBytes}`;
  if (secret.trim() === '') return 'holds no secret';
  if (!isUtf8(bytes) || /[^\P{Cc}\r\n]/u.test(secret)) return 'holds no text; a secret is one line of text';
  const invisible = /\p{Cf}/u.exec(secret)?.[0].codePointAt(0);
  if (invisible !== undefined)
    return `holds an invisible character, U+${invisible.toString(16).toUpperCase().padStart(4, '0')}; remove it`;
  if (secret.trimStart().startsWith('-----BEGIN ')) return undefined;
  if (/[\r\n]/.test(secret)) return 'holds several lines; a secret is one line, unless it is a key in PEM';
  if (secret !== secret.trim()) return 'begins or ends with a blank; remove it';
  return undefined;
}
