import { isatty } from 'node:tty';
import type { Command } from 'commander';
import { isUsableSecret } from '../../../contract/signature/verify.ts';
import { formatDuration } from '../../../functions/runtime/clock.ts';
import {
  acceptedSecrets,
  type SecretDocument,
  withNewSecret,
  withoutMark,
} from '../../../functions/webhook/secret-document.ts';
import type { WebhookSecretStore } from '../../../functions/webhook/webhook-secret-store.ts';
import { readContract } from '../../input/contract-file.ts';
import {
  addContractOption,
  addTargetOptions,
  type ContractOptions,
  notEmpty,
  type TargetOptions,
  targetOf,
} from '../../input/options.ts';
import { readSecretFile } from '../../input/secret-options.ts';
import { printResult } from '../../output/print.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, UsageError } from '../../target/errors.ts';
import { formatTime } from '../../text/format.ts';

interface StoreOptions extends TargetOptions, ContractOptions {
  readonly secretFile: string;
  readonly overlap: boolean;
  readonly force?: true;
}

const examples = `
Examples:
  npm run -s sms -- webhook store-secret --secret-file secret.txt
  pbpaste | npm run -s sms -- webhook store-secret
  npm run -s sms -- webhook store-secret --no-overlap < new-secret.txt   (the old one leaked)

The contract has to be the one that the pipeline was started or deployed with.
Exit codes: 0 stored, or stored already, 1 refused or failed, 2 wrong usage.`;

/** `webhook store-secret`: the secret that the console of a service shows, where nothing else can bring it here. */
export function addWebhookStoreSecret(webhook: Command, context: Context): void {
  const command = webhook
    .command('store-secret')
    .summary('store the secret that the console of the SMS service shows')
    .description(
      'Stores the secret, or the public key, that the console of the SMS service shows for its webhook, where the setting registration is off. The one it replaces stays accepted for the setting secretOverlapHours.',
    )
    .option('--secret-file <file>', 'a file with the secret and nothing else; "-" is stdin', notEmpty, '-')
    .option('--no-overlap', 'drop the replaced secret at once, because it leaked')
    .option(
      '--force',
      'also while the secret before the current one is still accepted: that one is dropped; and where registration is on',
    );
  addTargetOptions(addContractOption(command))
    .addHelpText('after', examples)
    .action(async (options: StoreOptions) => {
      const { secretFile, overlap, force = false } = options;
      const { signature } = (await readContract(options.contract)).webhook;
      if (signature.scheme === 'none')
        throw new UsageError('By this contract nothing is signed, so there is no secret to store.');
      if (secretFile === '-' && isatty(0))
        throw new UsageError(
          'Nothing is piped into stdin: name a file with --secret-file, or pipe the secret in. It is never typed in, where a screen or a history would show it.',
        );
      const connection = context.connect(targetOf(options));
      const { registration, overlapMs } = await connection.webhookSettings();
      if (registration === 'on') warnOfRegistration(force, context);
      const secret = await readSecretFile(secretFile);
      if (!isUsableSecret(signature, secret))
        throw new CommandFailure(
          'The secret is not written as the contract says (webhook.signature): no request could be verified with it. Nothing was stored.',
        );
      const order = {
        secret,
        overlapMs: overlap ? overlapMs : 0,
        force,
        // Nobody else would: what is parked meanwhile would wait for it for ever.
        endsRotation: registration === 'off',
      };
      const { document, isNew } = await store(await connection.secretStore(), order, context);
      const { since } = document.current;
      const previousValidUntil = document.previous?.validUntil ?? null;
      printResult(context, options, {
        json: () => ({ stored: isNew, since, previousValidUntil }),
        text: ({ zone }) => (isNew ? stored(document, zone) : `${alreadyStored} ${formatTime(since, zone)}.`),
      });
    });
}

/** Other writers, a capture that is decided for one, are done at once. */
const maxAttempts = 5;

interface Order {
  readonly secret: string;
  readonly overlapMs: number;
  readonly force: boolean;
  readonly endsRotation: boolean;
}

async function store(
  secrets: WebhookSecretStore,
  { secret, overlapMs, force, endsRotation }: Order,
  context: Context,
): Promise<{ readonly document: SecretDocument; readonly isNew: boolean }> {
  try {
    for (let tries = 0; tries < maxAttempts; tries++) {
      const before = await secrets.read();
      const known = before?.document;
      const settled = endsRotation && known?.rotating !== undefined ? withoutMark(known) : known;
      const document = withNewSecret(settled, secret, context.clock(), overlapMs);
      if (document === known) return { document, isNew: false };
      const isNew = document.current.secret !== known?.current.secret;
      if (isNew && !force && known !== undefined) refuseToDrop(known, secret, context);
      if ((await secrets.replace(document, before?.versionId)) !== undefined) return { document, isNew };
    }
  } catch (error) {
    // By its name: its module would load the AWS SDK for every command.
    if (!(error instanceof Error && error.name === 'WebhookSecretError')) throw error;
    throw new CommandFailure(
      `${error.message}. Your credentials need secretsmanager:GetSecretValue, PutSecretValue and UpdateSecretVersionStage on it.`,
    );
  }
  throw new CommandFailure('Others kept storing the webhook secret: nothing was stored. Run it again.');
}

/** A secret that is stored by mistake would otherwise push out the one that the service still signs with. */
function refuseToDrop(before: SecretDocument, secret: string, { clock, terminal }: Context): void {
  const [, previous] = acceptedSecrets(before, clock());
  const validUntil = before.previous?.validUntil;
  if (previous === undefined || previous === secret || validUntil === undefined) return;
  throw new CommandFailure(
    `The secret before the current one is accepted for another ${formatDuration(Date.parse(validUntil) - clock())} (until ${formatTime(validUntil, terminal.zone)}), and requests still signed with it would be refused from now on. Wait, or add --force.`,
  );
}

function warnOfRegistration(force: boolean, { terminal }: Context): void {
  const truth =
    "This pipeline registers its webhook itself (sms:registration) and holds the SMS service's own secret for the right one: another that is stored is replaced within 5 minutes.";
  if (!force) throw new CommandFailure(`${truth} Add --force to store it all the same.`);
  terminal.err(`warning: ${truth}\n`);
}

const alreadyStored = 'Nothing was changed: this secret is the current one, stored';

function stored({ previous, retired }: SecretDocument, zone: string): string {
  if (previous !== undefined)
    return `The secret is stored; the one before it is accepted until ${formatTime(previous.validUntil, zone)}.`;
  return retired === undefined
    ? 'The secret is stored. What is signed with it is accepted from now on.'
    : 'The secret is stored; the one before it is no longer accepted (an idle instance of ingest may accept it for up to a minute more).';
}
