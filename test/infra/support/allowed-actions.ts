import { constructOf, type Resource, resource, templateOf } from './built-app.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** The statements of a policy. */
export function statementsOf(policy: Resource): readonly Statement[] {
  return (policy.Properties.PolicyDocument as { Statement: readonly Statement[] }).Statement;
}

/** One action or several. */
export const list = (value: string | readonly string[]) => (typeof value === 'string' ? [value] : [...value]);

/** Every action of a function's role with the resource it is allowed on, as text. */
export function allowed(name: keyof typeof constructOf, template = templateOf(name)): string[] {
  const policy = resource(template, 'AWS::IAM::Policy', constructOf[name]);
  return statementsOf(policy)
    .flatMap(({ Action, Resource }) =>
      list(Action).flatMap((action) => [Resource].flat().map((arn) => `${action} on ${nameOf(arn)}`)),
    )
    .sort();
}

/** A resource without what is made up in its name: its logical id and what is behind it, or the ARN from its type on. */
function nameOf(arn: unknown): string {
  return (
    flattened(arn).match(
      /(Bus|Events(?!Output|:)|Signals|Publisher|OptOut(?!List)|ContactSync|FailureAlert|Forward|BillingWatch|DeliveryWatch|Notices|Ingest|Setup|Query|Sweep|Lookups|Exporter|Exports(?!Output)|History|Insights|Quarantine|Webhook|:secret:)[\w:/?*-]*/,
    )?.[0] ?? flattened(arn)
  );
}

/** An ARN with references in it, as text. */
export function flattened(arn: unknown): string {
  if (typeof arn !== 'object' || arn === null) return String(arn);
  const [[name, argument] = []] = Object.entries(arn);
  if (name === 'Fn::Join') return argument[1].map(flattened).join('');
  return name === 'Fn::GetAtt' ? argument[0] : String(argument);
}
