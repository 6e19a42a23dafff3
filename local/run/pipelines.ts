import { defaultStack } from '../../contract/document/project-store.ts';
import type { Stack } from '../cloudformation/cloud-assembly.ts';
import { UserError } from '../terminal/terminal.ts';
import { variablesOf } from './deploy.ts';

/** The output that every pipeline has: the id of its construct in front and a hash of the CDK behind, unless the id is `Default`. */
const ofPipeline = /^(?:(\w*)HistoryTableName([0-9A-F]{8})|HistoryTableName)$/;

/** The outputs of a run, by stack and name. */
type Outputs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Checks that a pipeline is in one of the stacks that run.
 *
 * @param stages the stages of the app, whose stacks do not run
 * @throws UserError if no stack has one: nothing would be received, although the run would say that it is ready
 */
export function requirePipeline(stacks: readonly Stack[], stages: readonly string[]): void {
  if (stacks.some(({ template }) => Object.values(template.Resources).some(isOfPipeline))) return;
  const nested = stacks.flatMap(({ name, template }) =>
    Object.entries(template.Resources).flatMap(([logicalId, { Type }]) =>
      Type === 'AWS::CloudFormation::Stack' ? [`${name}/${logicalId}`] : [],
    ),
  );
  const elsewhere = [
    ...stages.map((stage) => `the stage ${stage}`),
    ...nested.map((stack) => `the nested stack ${stack}`),
  ];
  const place = elsewhere.length === 0 ? '' : ` A pipeline in ${elsewhere.join(' or ')} does not run.`;
  throw new UserError(
    `No stack of the app has a pipeline, so nothing was started: one machine runs the stacks that are directly in the app.${place} Write an app for this machine that has the pipeline in such a stack, and name it: -c local:app='node local-app.ts'`,
  );
}

/**
 * Checks that no webhook is at a domain of the app, which one machine does not have: the sandbox would send its made-up events to a deployed
 * pipeline.
 *
 * @throws UserError
 */
export function refuseDomains(stacks: readonly Stack[]): void {
  for (const { name, template } of stacks) {
    const ofWebhooks = prefixesIn(template.Outputs).map(
      (prefix) => new RegExp(`^${prefix}WebhookUrl([0-9A-F]{8})?$`),
    );
    for (const [output, { Value }] of Object.entries(template.Outputs))
      if (
        ofWebhooks.some((pattern) => pattern.test(output)) &&
        typeof Value === 'string' &&
        Value.startsWith('https:')
      )
        throw new UserError(
          `stack ${name}, output ${output}: the webhook is at ${new URL(Value).host}, and one machine has no domain names. Leave webhook.domain out of the app on this machine, for example: domain: app.node.tryGetContext('local') ? undefined : {...}, with sms start -c local=true`,
        );
  }
}

/** Returns whether a resource is a function that knows the history, which every pipeline has, also without outputs. */
function isOfPipeline({ Type, Properties }: Stack['template']['Resources'][string]): boolean {
  return Type === 'AWS::Lambda::Function' && 'HISTORY_TABLE_NAME' in variablesOf(Properties.Environment);
}

/** A pipeline of a run. */
export interface LocalPipelineName {
  /** The value of `--stack`. */
  readonly stack: string;
  /** The options by which the command-line tool finds it. */
  readonly options: readonly string[];
}

/** Returns the beginning of the outputs of each pipeline; it is empty if the id of its construct is `Default`. */
function prefixesIn(outputs: object): string[] {
  return Object.keys(outputs).flatMap((name) => {
    const match = ofPipeline.exec(name);
    return match === null ? [] : [match[1] ?? ''];
  });
}

/** Returns the pipelines among the outputs of a run. */
export function pipelinesIn(outputs: Outputs): LocalPipelineName[] {
  return Object.entries(outputs).flatMap(([stack, values]) => {
    const prefixes = prefixesIn(values);
    return prefixes.map((prefix) => {
      const name = prefixes.length === 1 ? stack : `${stack}:${prefix}`;
      return { stack: name, options: name === defaultStack ? [] : ['--stack', name] };
    });
  });
}

/**
 * Adds the output `LocalPort` to each pipeline: the first port of the run, by which commands find its services. The webhooks of a second
 * pipeline and of further ones have ports of their own.
 */
export function withLocalPort(outputs: Outputs, port: number): Record<string, Record<string, string>> {
  return Object.fromEntries(
    Object.entries(outputs).map(([stack, values]) => {
      const ports = Object.keys(values).flatMap((name) => {
        const match = ofPipeline.exec(name);
        return match === null ? [] : [[`${match[1] ?? ''}LocalPort${match[2] ?? ''}`, String(port)] as const];
      });
      return [stack, { ...values, ...Object.fromEntries(ports) }];
    }),
  );
}
