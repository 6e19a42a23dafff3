import { type Resource, type Stack, valuesAt } from './stack.ts';

/** As long as the longest of each is. */
const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': '123456789012',
  'AWS::Partition': 'aws-us-gov',
  'AWS::Region': 'ap-southeast-1',
  'AWS::URLSuffix': 'amazonaws.com.cn',
};

/** The longest names the services take; CloudFormation cuts the names it makes up to these (CloudFormation User Guide, "Name Type"). */
const maxNameLengths: Readonly<Record<string, number>> = {
  'AWS::ApiGatewayV2::Api': 10,
  'AWS::DynamoDB::GlobalTable': 255,
  'AWS::DynamoDB::Table': 255,
  'AWS::Events::Archive': 48,
  'AWS::Events::EventBus': 256,
  'AWS::Events::Rule': 64,
  'AWS::IAM::Role': 64,
  'AWS::Lambda::Function': 64,
  'AWS::S3::Bucket': 63,
  'AWS::SNS::Topic': 256,
  'AWS::SQS::Queue': 80,
  'AWS::StepFunctions::StateMachine': 80,
};

/** Types whose Ref is the ARN. */
const referredToByArn = [
  'AWS::SNS::Topic',
  'AWS::SecretsManager::Secret',
  'AWS::StepFunctions::StateMachine',
];

/** Where a parameter of the template stands, of which nothing is known: a name of the longest kind. */
const anyParameter = 'p'.repeat(256);

/** The value as it is once it is deployed, every reference in it replaced by a text as long as it can become. */
function filledIn(value: unknown, stack: Stack, stacks: readonly Stack[]): unknown {
  const fill = (inner: unknown) => filledIn(inner, stack, stacks);
  if (Array.isArray(value)) return value.map(fill);
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = ['', undefined], ...others] = Object.entries(value);
  if (others.length === 0) {
    if (name === 'Ref') return referred(String(argument), stack);
    if (name === 'Fn::GetAtt') return attribute(argument, stack);
    if (name === 'Fn::ImportValue') return imported(String(argument), stacks);
    if (name === 'Fn::Join') return joined(fill(argument));
    if (name === 'Fn::Split') return split(fill(argument));
    if (name === 'Fn::Select') return selected(fill(argument));
    if (name === 'Fn::Sub')
      return String(argument).replaceAll(/\$\{([^!}]+)\}/g, (_, id) =>
        id.includes('.') ? attribute(id.split('.'), stack) : referred(id, stack),
      );
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
}

/** The name of a resource: its own, or one as CloudFormation makes it up. */
function nameOf(id: string, { name, template }: Stack): string {
  const { Type = '', Properties = {} } = template.Resources[id] ?? {};
  return typeof Properties.Name === 'string'
    ? Properties.Name
    : `${name}-${id}-ABCDEFGHIJKLM`.slice(0, maxNameLengths[Type] ?? 512);
}

const arnOf = (id: string, stack: Stack) =>
  `arn:aws-us-gov:${(stack.template.Resources[id]?.Type ?? '').split('::')[1]?.toLowerCase()}:ap-southeast-1:123456789012:resource-type:${nameOf(id, stack)}`;

function referred(id: string, stack: Stack): string {
  const pseudo = pseudoParameters[id] ?? (id === 'AWS::StackName' ? stack.name : undefined);
  if (pseudo !== undefined) return pseudo;
  const type = stack.template.Resources[id]?.Type;
  if (type === undefined) return anyParameter;
  if (type === 'AWS::SQS::Queue')
    return `https://sqs.ap-southeast-1.amazonaws.com.cn/123456789012/${nameOf(id, stack)}`;
  return referredToByArn.includes(type) ? arnOf(id, stack) : nameOf(id, stack);
}

function attribute(argument: unknown, stack: Stack): string {
  const [id = '', name = ''] = Array.isArray(argument) ? argument.map(String) : String(argument).split('.');
  if (name === 'ApiEndpoint') return 'https://0123456789.execute-api.ap-southeast-1.amazonaws.com.cn';
  if (name === 'StreamArn') return `${arnOf(id, stack)}/stream/2026-01-01T00:00:00.000`;
  return name.endsWith('Arn') ? arnOf(id, stack) : nameOf(id, stack);
}

function imported(name: string, stacks: readonly Stack[]): unknown {
  for (const stack of stacks)
    for (const { Export, Value } of Object.values(stack.template.Outputs))
      if (Export?.Name === name) return filledIn(Value, stack, stacks);
  return undefined;
}

function joined(argument: unknown): string {
  const [separator] = valuesAt(argument, '0');
  return valuesAt(argument, '1.*').join(String(separator));
}

function split(argument: unknown): string[] {
  const [separator] = valuesAt(argument, '0');
  const [text] = valuesAt(argument, '1');
  return String(text).split(String(separator));
}

function selected(argument: unknown): unknown {
  const [index] = valuesAt(argument, '0');
  return valuesAt(argument, `1.${String(index)}`)[0];
}

/** A resource with all its references filled in. */
export interface Found {
  readonly id: string;
  readonly stack: Stack;
  readonly resource: Resource;
  readonly properties: unknown;
  /** For what is found wrong with it. */
  readonly label: string;
}

/** Every resource of a type in these stacks. */
export function resourcesOf(stacks: readonly Stack[], type: string): Found[] {
  return stacks.flatMap((stack) =>
    Object.entries(stack.template.Resources)
      .filter(([, { Type }]) => Type === type)
      .map(([id, resource]) => ({
        id,
        stack,
        resource,
        properties: filledIn(resource.Properties, stack, stacks),
        label: `${stack.name} ${id}`,
      })),
  );
}

/** The resource of a type in the same stack that a property refers to, by Ref or Fn::GetAtt. */
export function referredTo(reference: unknown, among: readonly Found[], stack: Stack): Found | undefined {
  if (typeof reference !== 'object' || reference === null) return undefined;
  const [argument] = Object.values(reference);
  const id = Array.isArray(argument) ? argument[0] : argument;
  return among.find((found) => found.stack === stack && found.id === id);
}
