import { relative } from 'node:path';
import { type Command, Option } from 'commander';
import { inheritedSamplesHint } from '../functions/core/contract/parse.ts';
import { readCaptureFile } from './capture-file.ts';
import type { Context } from './context.ts';
import { originOfSamples, readContractToTest, shippedContracts } from './contract-file.ts';
import { CommandFailure, UsageError } from './failures.ts';
import {
  addContractOption,
  addTargetOptions,
  type ContractOptions,
  notEmpty,
  type RevealOptions,
  type TargetOptions,
} from './options.ts';
import { printResult } from './print.ts';
import { renderTested } from './render-contract-test.ts';
import { addSecretOptions, readSecrets, type SecretOptions } from './secret-options.ts';
import { testCaptures, testSamples } from './test-contract.ts';
import { sanitize } from './text/sanitize.ts';

interface ContractTestOptions extends TargetOptions, ContractOptions, RevealOptions, SecretOptions {
  readonly file?: readonly string[];
  readonly all?: true;
}

const examples = `
Examples:
  npm run -s sms -- contract test
  npm run -s sms -- contract test --file capture.http --secret-file secret.txt
  npm run -s sms -- contract test --contract contracts/twilio.json --file capture.json --secret-from-service --local
  npm run -s sms -- contract test --all

Runs the samples of the contract, and captured requests, through the verification and the mapping of the pipeline; sends and
changes nothing. A capture is a raw HTTP request (capture.http; several with a line ### between), or JSON:
{"method", "url", "headers", "body" as text or "bodyBase64", "receivedAt"}. Signatures cover the very bytes: keep the body as it
came. A replay window is judged as of receivedAt (in capture.http: # @receivedAt 2026-01-15T12:00:05Z), and not at all without it.
Numbers and texts are shown with --reveal and with --json.
Exit codes: 0 all hold, 1 one does not or failed, 2 wrong usage.`;

/** `contract test`: what a contract makes of its samples and of captured requests. */
export function addContractTest(contract: Command, context: Context): void {
  const command = contract
    .command('test')
    .summary('try a contract on its samples and on captured requests')
    .description('Says, step by step, what a contract makes of its samples and of captured requests.')
    .option('--file <capture...>', 'files with captured requests; "-" is stdin')
    .addOption(
      new Option('--all', "the project's contract and every preset").conflicts([
        'file',
        'secret',
        'secretFile',
        'secretFromService',
      ]),
    )
    .option('--reveal', 'show phone numbers and texts');
  addSecretOptions(addContractOption(addTargetOptions(command)))
    .addHelpText('after', examples)
    .action((options: ContractTestOptions) => test(options, context));
}

/** Relative to where the command runs, of what lies below. */
function shortest(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}

async function test(options: ContractTestOptions, context: Context): Promise<void> {
  const now = context.clock();
  const files = (options.file ?? []).map(notEmpty);
  if ([...files, options.secretFile].filter((path) => path === '-').length > 1)
    throw new UsageError('"-" may be given once: stdin is read to its end.');
  const captures = (await Promise.all(files.map(readCaptureFile))).flat();
  const secrets = await readSecrets(options, context);
  const paths = options.all === true ? shippedContracts() : [options.contract];
  const contracts = await Promise.all(
    paths.map(async (path) => {
      const contract = await readContractToTest(path);
      const tested = [...testSamples(contract), ...testCaptures(contract, captures, secrets, now)];
      const hasFailingSample = tested.some(({ isSample, problems }) => isSample && problems.length > 0);
      const origin = hasFailingSample ? originOfSamples(path) : undefined;
      return { path: shortest(path), contract, tested, origin };
    }),
  );
  printResult(context, options, {
    json: () => ({ contracts: contracts.map(({ path, tested }) => ({ contract: path, requests: tested })) }),
    text: (view) =>
      contracts
        .map(({ path, contract, tested, origin }) =>
          [
            view.style('bold', sanitize(path)),
            tested.length === 0
              ? 'No samples, and no --file: nothing to test.'
              : renderTested(tested, contract, view),
            ...(origin === undefined ? [] : [sanitize(inheritedSamplesHint(origin))]),
          ].join('\n'),
        )
        .join('\n\n'),
  });
  const all = contracts.flatMap(({ tested }) => tested);
  const failed = all.filter(({ problems }) => problems.length > 0).length;
  if (failed > 0) throw new CommandFailure(`${failed} of ${all.length} requests failed.`);
}
