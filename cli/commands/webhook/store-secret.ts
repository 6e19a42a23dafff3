import { isatty } from 'node:tty';
import * as z from 'zod';
import type { SignatureContract } from '../../../contract/schema/contract-schema.ts';
import { isAsymmetricKey, isSharedSecret } from '../../../contract/signature/keys.ts';
import { isUsableSecret } from '../../../contract/signature/verify.ts';
import { formatDuration } from '../../../functions/base/basics.ts';
import {
  acceptedSecrets,
  isMask,
  isTooPlain,
  type SecretDocument,
  type WebhookSecretStore,
  withNewSecret,
  withoutMark,
  withoutPrevious,
} from '../../../functions/registration/index.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addConfirmOption, type ConfirmOptions, confirm } from '../../input/confirm.ts';
import { readDeployedContract } from '../../input/contract-file.ts';
import {
  addDeployedContractOptions,
  addTargetOptions,
  type DeployedContractOptions,
  notEmpty,
  type TargetOptions,
  targetOf,
} from '../../input/options.ts';
import { readSecretFile } from '../../input/secret-options.ts';
import { printResult } from '../../output/print.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, UsageError } from '../../target/errors.ts';
import { formatTime } from '../../text/format.ts';

interface StoreOptions extends TargetOptions, DeployedContractOptions, ConfirmOptions {
  readonly secretFile: string;
  readonly overlap: boolean;
  readonly force?: true;
}

const examples: CommandTexts = {
  output: z.object({
    stored: z.boolean().describe('False where it was the current secret already.'),
    since: z.string(),
    previousValidUntil: z.string().nullable(),
  }),
  examples: [
    'webhook store-secret --secret-file secret.txt',
    'pbpaste | sms webhook store-secret',
    'webhook store-secret --no-overlap --confirm < new-secret.txt   (the old one leaked)',
  ],
  notes:
    'What drops a secret asks on a terminal and needs --confirm elsewhere, also where the secret comes from stdin.',
};

/** Adds `webhook store-secret`, which stores the secret that the console of a service shows. */
export function addWebhookStoreSecret(webhook: Command, context: Context): void {
  const command = webhook
    .command('store-secret')
    .summary('store the secret that the console of the SMS service shows')
    .description(
      'Stores the secret, or the public key, that the console of the SMS service shows for its webhook. The replaced secret stays accepted for the setting secretOverlapHours.',
    )
    .option('--secret-file <file>', 'a file with the secret and nothing else; "-" is stdin', notEmpty, '-')
    .option(
      '--no-overlap',
      'drop the replaced secret at once, because it leaked; also if the new one is stored already',
    )
    .option(
      '--force',
      'store it even while the previous secret is still accepted, and drop that one; also if registration is on, or if it looks like a placeholder',
    );
  addTargetOptions(addDeployedContractOptions(addConfirmOption(command, 'drop a secret without a question')))
    .explain(examples)
    .action(async (options: StoreOptions) => {
      const { secretFile, overlap, force = false } = options;
      const connection = context.connect(targetOf(options));
      const contract = await readDeployedContract(options, connection, context.terminal);
      const { signature } = contract.webhook;
      if (signature.scheme === 'none')
        throw new UsageError('This contract has no signature, so there is no secret to store.');
      if (secretFile === '-' && isatty(0))
        throw new UsageError(
          'Nothing is piped into stdin: name a file with --secret-file, or pipe the secret in. It cannot be typed, because the screen or a history would show it.',
        );
      const { registration, overlapMs } = await connection.webhookSettings();
      const isLocal = options.local === true;
      const isFromService = registration === 'on' && contract.registration === null;
      if (isFromService) warnOfRegistration(force, isLocal, context);
      const secret = await readSecretFile(secretFile);
      if (!isUsableSecret(signature, secret))
        throw new CommandFailure(
          isAsymmetricKey(secret)
            ? 'This is a key or a certificate, and the contract (webhook.signature) needs a secret that only you and the service know: with a public key everyone could sign. Nothing was stored.'
            : 'The secret is not in the format of the contract (webhook.signature): no request could be verified with it. Nothing was stored.',
        );
      // In front of the colon of Basic authentication is a user, who is no secret where there is a password.
      const hidden =
        signature.scheme === 'token' && signature.prefix === 'Basic '
          ? secret.replace(/^[^:]*:(?=.)/s, '')
          : secret;
      if (signature.scheme === 'token' && hidden.length < shortestToken)
        context.terminal.err(
          `warning: This secret has ${hidden.length} characters, and requests carry it as it is, so a stranger may guess it. Let the service send one with at least ${shortestToken} random characters.\n`,
        );
      // Only this machine reaches a local run, so a tutorial may use any text.
      if (!isLocal) refuseMask(hidden, signature, force, context);
      const order = {
        secret,
        overlapMs: overlap ? overlapMs : 0,
        dropsPrevious: !overlap,
        force,
        // If the service does not show its secret, only this command can end a rotation, which parked requests wait for.
        endsRotation: !isFromService,
      };
      const mayDrop = () => confirm(dropsSecret, options, context.terminal);
      const { document, isNew, isDropped } = await store(
        await connection.secretStore(),
        order,
        mayDrop,
        context,
      );
      const { since } = document.current;
      const previousValidUntil = document.previous?.validUntil ?? null;
      printResult(context, options, {
        json: () => ({ stored: isNew, since, previousValidUntil }),
        text: ({ zone }) => {
          if (isNew) return stored(document, zone);
          if (isDropped) return `This secret was the current one already; ${noLongerAccepted}`;
          const accepted = acceptedPrevious(document, context.clock());
          const rest =
            accepted === undefined
              ? ''
              : ` The previous one is accepted until ${formatTime(accepted.validUntil, zone)}: --no-overlap drops it at once.`;
          return `Nothing was changed: this secret is the current one, stored ${formatTime(since, zone)}.${rest}`;
        },
      });
    });
}

/** 16 random characters of base64 are 96 bits. A stranger can try a thousand tokens a second. */
const shortestToken = 16;

/** A few attempts suffice, because other writers, such as setup, are fast. */
const maxAttempts = 5;

interface Order {
  readonly secret: string;
  readonly overlapMs: number;
  /** Whether the previous secret is dropped where the given one is the current one already. */
  readonly dropsPrevious: boolean;
  readonly force: boolean;
  readonly endsRotation: boolean;
}

async function store(
  secrets: WebhookSecretStore,
  { secret, overlapMs, dropsPrevious, force, endsRotation }: Order,
  mayDrop: () => Promise<void>,
  context: Context,
): Promise<{ readonly document: SecretDocument; readonly isNew: boolean; readonly isDropped: boolean }> {
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const before = await secrets.read();
      const current = before?.document;
      const settled = endsRotation && current?.rotating !== undefined ? withoutMark(current) : current;
      const renewed = withNewSecret(settled, secret, context.clock(), overlapMs);
      const isNew = renewed.current.secret !== current?.current.secret;
      const document = dropsPrevious && !isNew ? withoutPrevious(renewed, context.clock()) : renewed;
      const isDropped = document !== renewed;
      if (document === current) return { document, isNew, isDropped };
      if (isDropped) await mayDrop();
      if (isNew && current !== undefined) {
        const validUntil = droppedUntil(current, secret, context.clock());
        if (validUntil !== undefined && !force) throw stillAccepted(validUntil, context);
        if (validUntil !== undefined || overlapMs === 0) await mayDrop();
      }
      if ((await secrets.replace(document, before?.versionId)) !== undefined)
        return { document, isNew, isDropped };
    }
  } catch (error) {
    // The error is compared by name, because its module would load the AWS SDK for every command.
    if (!(error instanceof Error && error.name === 'WebhookSecretError')) throw error;
    throw new CommandFailure(
      `${error.message}. Your credentials need secretsmanager:GetSecretValue, PutSecretValue and UpdateSecretVersionStage on it.`,
    );
  }
  throw new CommandFailure(
    'Other writers kept changing the webhook secret: nothing was stored. Run it again.',
  );
}

const dropsSecret = {
  text: 'This drops a secret that events may still be signed with',
  confirms: 'drops it',
  refused: 'Nothing was stored.',
};

/** The previous secret, while requests signed with it are accepted. */
function acceptedPrevious(document: SecretDocument, now: number): SecretDocument['previous'] {
  return acceptedSecrets(document, now).length > 1 ? document.previous : undefined;
}

/** The end of the previous secret, if it is still accepted and another one than the new secret. */
function droppedUntil(before: SecretDocument, secret: string, now: number): string | undefined {
  const previous = acceptedPrevious(before, now);
  return previous?.secret === secret ? undefined : previous?.validUntil;
}

/** Prevents that a secret stored by mistake drops the one that the service still signs with. */
function stillAccepted(validUntil: string, { clock, terminal }: Context): CommandFailure {
  return new CommandFailure(
    `The previous secret is accepted for another ${formatDuration(Date.parse(validUntil) - clock())} (until ${formatTime(validUntil, terminal.zone)}), and requests still signed with it would be refused from now on. Wait, or add --force.`,
  );
}

/**
 * Refuses a text that everyone could guess, or only warns with --force. Operators choose tokens and passwords themselves, so for those a length
 * refuses nothing.
 */
function refuseMask(
  hidden: string,
  signature: SignatureContract,
  force: boolean,
  { terminal }: Context,
): void {
  const isPlain = signature.scheme !== 'token' && isSharedSecret(signature) && isTooPlain(hidden);
  if (!isPlain && !isMask(hidden)) return;
  const warning = isMask(hidden)
    ? 'This looks like a mask or a placeholder, such as **** or your_auth_token, and not like a secret: a stranger who guesses it can forge events.'
    : 'This has fewer than 16 characters or a blank, as no secret of a service does: a stranger may guess it and forge events.';
  if (!force)
    throw new CommandFailure(
      `${warning} Nothing was stored. Copy the whole secret from the console of the SMS service, where it may have to be revealed first. If this really is the secret, add --force.`,
    );
  terminal.err(`warning: ${warning}\n`);
}

function warnOfRegistration(force: boolean, isLocal: boolean, { terminal }: Context): void {
  const warning =
    "This pipeline registers its webhook itself (sms:registration) and uses the SMS service's own secret. With another one, events are refused from the end of the overlap on, until sms webhook rotate --force repairs it.";
  const instead = isLocal
    ? ' Or start the local run without registration: npm start -- -c sms:registration=off'
    : '';
  if (!force) throw new CommandFailure(`${warning} Add --force to store it anyway.${instead}`);
  terminal.err(`warning: ${warning}\n`);
}

const noLongerAccepted =
  'the previous one is no longer accepted (an idle instance of ingest may accept it for up to a minute more).';

function stored({ previous, retired }: SecretDocument, zone: string): string {
  if (previous !== undefined)
    return `The secret is stored; the previous one is accepted until ${formatTime(previous.validUntil, zone)}.`;
  return retired === undefined
    ? 'The secret is stored. Requests signed with it are accepted from now on.'
    : `The secret is stored; ${noLongerAccepted}`;
}
