import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { Argument } from 'commander';
import * as z from 'zod';
import { isDeeperThan, maxBodyDepth } from '../../contract/text/json.ts';
import { isServicePath } from '../../functions/registration/index.ts';
import type { Command, CommandTexts } from '../input/command.ts';
import { addConfirmOption, type ConfirmOptions, confirm } from '../input/confirm.ts';
import { addPipelineOptions, notEmpty, type TargetOptions, targetOf } from '../input/options.ts';
import { awaitSetup } from '../output/progress.ts';
import type { Context } from '../target/context.ts';
import { CommandFailure, explainFileErrors, UsageError } from '../target/errors.ts';
import { parseJson } from '../text/format.ts';
import { sanitize, toJson } from '../text/sanitize.ts';

interface ApiOptions extends TargetOptions, ConfirmOptions {
  readonly data?: string;
}

const texts: CommandTexts = {
  examples: [
    'api GET /v1/billing/cards',
    'api POST /v1/contacts/store --data \'{"phone": "+12025550143"}\' --confirm',
    'api PUT /v1/contacts/7 --data @contact.json --confirm',
  ],
  notes:
    'GET is sent at once. Any other method changes something, or costs money: it asks on a terminal and needs --confirm elsewhere.',
  details:
    "Performs any operation of the SMS service, also those that its document names without a path. The setup function sends it with the pipeline's key and token, so that no key leaves AWS. It is retried as the pipeline's own calls: POST and PATCH only after a 429. The webhook's own operations are refused, because their answers hold the signing secret: sms webhook has them. A field that is called as a secret is, such as client_secret, password or apiKey, is shown as [redacted], and the command says which.",
};

const answerSchema = z.union([
  z.object({ answer: z.unknown(), redacted: z.array(z.string()) }),
  z.object({ error: z.object({ kind: z.string(), message: z.string() }) }),
]);

/** Adds `api <METHOD> <path>`, which performs any operation of the SMS service. */
export function addApi(program: Command, context: Context): void {
  const command = program
    .command('api')
    .summary("call the SMS service's API with the pipeline's key")
    .description(
      "Performs an operation of the SMS service's API with the pipeline's key, and writes the answer as JSON.",
    )
    .addArgument(
      new Argument('<method>', 'GET, POST, PUT, PATCH or DELETE').argParser((method: string) =>
        readMethod(method),
      ),
    )
    .argument('<path>', "the path below the service's base URL, with its query", readPath)
    .option('--data <json>', 'the body: JSON, @file, or - for stdin', notEmpty);
  addPipelineOptions(addConfirmOption(command, 'send a method other than GET without a question'))
    .explain(texts)
    .action(async (method: string, path: string, options: ApiOptions) => {
      const body = options.data === undefined ? undefined : await readData(options.data);
      if (method !== 'GET') {
        const text = `${method} ${path} may change something at the SMS service`;
        await confirm(
          { text, confirms: 'sends it', refused: 'Nothing was sent.' },
          options,
          context.terminal,
        );
      }
      const connection = context.connect(targetOf(options));
      const answer = answerSchema.parse(
        await awaitSetup(
          context.terminal,
          connection.invokeSetup({
            action: 'call',
            method,
            path,
            ...(body === undefined ? {} : { body }),
          }),
        ),
      );
      if ('error' in answer) {
        const message = answer.error.message.replace(`${method} request`, () => `${method} ${path}`);
        throw new CommandFailure(`${sanitize(message)}.`);
      }
      context.terminal.out(`${toJson(answer.answer)}\n`);
      if (answer.redacted.length > 0)
        context.terminal.err(`Not shown, because of their names: ${sanitize(answer.redacted.join(', '))}.\n`);
    });
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function readMethod(text: string): string {
  const method = text.toUpperCase();
  if (methods.includes(method)) return method;
  throw new UsageError(`"${text}" is not a method. Expected one of: ${methods.join(', ')}.`);
}

function readPath(text: string): string {
  if (isServicePath(text)) return text;
  throw new UsageError(
    `"${text}" is not a path. Expected one below the base URL, percent-encoded, without empty or dotted segments and ;, for example /v1/billing/cards.`,
  );
}

async function readData(data: string): Promise<unknown> {
  const json = await readText(data);
  const value = parseJson(json);
  if (value === undefined) throw new UsageError('--data is not JSON. Expected JSON, @file, or - for stdin.');
  if (isDeeperThan(maxBodyDepth, value))
    throw new UsageError(`--data has JSON of more than ${maxBodyDepth} levels. Send less deep JSON.`);
  return value;
}

function readText(data: string): Promise<string> {
  if (data === '-') return readAll(process.stdin);
  if (!data.startsWith('@')) return Promise.resolve(data);
  const path = data.slice(1);
  return explainFileErrors(
    (code) => `--data: ${path} cannot be read (${code}).`,
    () => readFile(path, 'utf8'),
  );
}
