import type { Stack } from '../../local/cloudformation/cloud-assembly.ts';
import { resolveValue, type Scope } from '../../local/cloudformation/intrinsics.ts';

/**
 * Lists what AWS would refuse in the stacks of an app, a line each, without an AWS account. The validation of the CDK, which has the schemas of
 * CloudFormation, finds wrong lengths, ranges and references within one template; test/infra has the rules of single resources.
 */
export function templateProblems(stacks: readonly Stack[]): string[] {
  return [
    ...stacks.flatMap(unresolvedTexts),
    ...stacks.flatMap((stack) => oversizedEnvironments(stack, longestNames(stack, stacks))),
    ...stacks.flatMap((stack) => oversizedPolicies(stack, longestNames(stack, stacks))),
    ...stacks.flatMap(slowIntegrations),
    ...collisions(stacks).map((name) => `there twice: ${name}`),
  ];
}

/** Unresolved text tokens of the CDK, and what JavaScript makes of a value that is no text. */
const leftover = /.{0,40}(?:[$#]\{Token\[|\[object Object\]|\bundefined\b|\bNaN\b)/g;

function unresolvedTexts({ name, template: { Resources, Outputs } }: Stack): string[] {
  return Object.entries({ ...Resources, ...Outputs }).flatMap(([id, value]) =>
    (JSON.stringify(value).match(leftover) ?? []).map((text) => `${name} ${id}: unresolved text ${text}`),
  );
}

const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** "Lambda quotas", environment variables in aggregate, in bytes. Lambda does not say how it counts: as JSON they are largest. */
const maxEnvironment = 4096;

function oversizedEnvironments({ name, template }: Stack, scope: Scope): string[] {
  return Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) => {
    if (Type !== 'AWS::Lambda::Function') return [];
    const [variables = {}] = valuesAt(Properties, 'Environment.Variables');
    const bytes = size(resolveValue(variables, scope));
    return bytes > maxEnvironment
      ? [`${name} ${id}: ${bytes} bytes of environment, at most ${maxEnvironment}`]
      : [];
  });
}

/**
 * The policies that grow with settings and grants, by the property that names their owner. "IAM and AWS STS quotas" and "Amazon EventBridge quotas" have
 * the same limit in bytes for all inline policies of a role and for the policy of a bus.
 */
const policyOwners: Readonly<Record<string, string>> = {
  'AWS::IAM::Policy': 'Roles',
  'AWS::Events::EventBusPolicy': 'EventBusName',
};
const maxPolicy = 10_240;

function oversizedPolicies({ name, template }: Stack, scope: Scope): string[] {
  const bytes = new Map<string, number>();
  for (const { Type, Properties } of Object.values(template.Resources)) {
    const ownerProperty = policyOwners[Type];
    if (ownerProperty === undefined) continue;
    const owner = JSON.stringify(Properties[ownerProperty]);
    bytes.set(owner, (bytes.get(owner) ?? 0) + size(resolveValue(Properties, scope)));
  }
  return [...bytes]
    .filter(([, sum]) => sum > maxPolicy)
    .map(([owner, sum]) => `${name} ${owner}: ${sum} bytes of policy, at most ${maxPolicy}`);
}

/** The longest names that the services accept; CloudFormation cuts generated names to these ("Name Type", CloudFormation User Guide). */
const maxNameLengths: Readonly<Record<string, number>> = {
  'AWS::ApiGatewayV2::Api': 10,
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

/** Resolves references to texts that are as long as they can become in any region. */
function longestNames(stack: Stack, stacks: readonly Stack[]): Scope {
  const { name, template } = stack;
  const typeOf = (id: string) => template.Resources[id]?.Type ?? '';
  const nameOf = (id: string) => `${name}-${id}-ABCDEFGHIJKLM`.slice(0, maxNameLengths[typeOf(id)] ?? 512);
  const arnOf = (id: string) => {
    const service = typeOf(id).split('::')[1]?.toLowerCase();
    return `arn:aws-us-gov:${service}:ap-southeast-1:123456789012:resource-type:${nameOf(id)}`;
  };
  return {
    stackName: name,
    ref: (id) => {
      // Nothing is known of a parameter.
      if (typeOf(id) === '') return 'p'.repeat(256);
      if (typeOf(id) === 'AWS::SQS::Queue')
        return `https://sqs.ap-southeast-1.amazonaws.com.cn/123456789012/${nameOf(id)}`;
      return referredToByArn.includes(typeOf(id)) ? arnOf(id) : nameOf(id);
    },
    mapped: (map, first, second) => template.Mappings[map]?.[first]?.[second],
    attribute: (id, attribute) => {
      if (attribute === 'ApiEndpoint')
        return 'https://0123456789.execute-api.ap-southeast-1.amazonaws.com.cn';
      if (attribute === 'StreamArn') return `${arnOf(id)}/stream/2026-01-01T00:00:00.000`;
      return attribute.endsWith('Arn') ? arnOf(id) : nameOf(id);
    },
    exported: (exportName) => {
      for (const other of stacks)
        for (const { Export, Value } of Object.values(other.template.Outputs))
          if (Export?.Name === exportName) return resolveValue(Value, longestNames(other, stacks));
      throw new Error(`no stack exports ${exportName}`);
    },
  };
}

/** "Quotas for configuring and running an HTTP API", maximum integration timeout, in seconds. */
const maxIntegrationTimeout = 30;

/** Functions that API Gateway does not wait for to their end. */
function slowIntegrations({ name, template: { Resources } }: Stack): string[] {
  return Object.entries(Resources).flatMap(([id, { Type, Properties }]) => {
    if (Type !== 'AWS::ApiGatewayV2::Integration') return [];
    const [functionId] = valuesAt(Properties, 'IntegrationUri.Fn::GetAtt.0');
    const seconds = Number(Resources[String(functionId)]?.Properties.Timeout);
    return seconds <= maxIntegrationTimeout
      ? []
      : [`${name} ${id}: its function may take ${seconds} s, at most ${maxIntegrationTimeout} s`];
  });
}

/** The property within which a name has to be unique, for types whose scope is not the account and region. */
const scopes: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::Stage': 'ApiId',
  'AWS::Events::Rule': 'EventBusName',
  'AWS::Glue::Table': 'DatabaseName',
  'AWS::IAM::Policy': 'Roles',
  'AWS::Logs::MetricFilter': 'LogGroupName',
};

/** Names that are not called after their type. A statement's id has to be unique in the account (page of the type, "StatementId"). */
const otherNames: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::DomainName': 'DomainName',
  'AWS::CloudFront::OriginAccessControl': 'OriginAccessControlConfig.Name',
  'AWS::CloudFront::ResponseHeadersPolicy': 'ResponseHeadersPolicyConfig.Name',
  'AWS::Events::EventBusPolicy': 'StatementId',
  'AWS::Glue::Database': 'DatabaseInput.Name',
  'AWS::Glue::Table': 'TableInput.Name',
  'AWS::Logs::MetricFilter': 'FilterName',
};

/** Returns the names of stacks, exports and resources that these stacks would use twice in one account and region. */
export function collisions(stacks: readonly Stack[]): string[] {
  const names = [
    ...stacks.map(({ name }) => `stack ${name}`),
    ...stacks.flatMap(exportsOf).map((name) => `export ${name}`),
    ...stacks.flatMap(physicalNames),
  ];
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

/** The names of a stack's exports. */
export function exportsOf({ template }: Stack): string[] {
  return Object.values(template.Outputs).flatMap(({ Export }) => (Export ? String(Export.Name) : []));
}

/** The names that a template sets itself, with what they are unique in. */
export function physicalNames(stack: Stack): string[] {
  return Object.keys(stack.template.Resources).flatMap((id) => namesOfResource(stack, id));
}

/** The names that a template gives one resource, with what they are unique in. */
export function namesOfResource(stack: Stack, logicalId: string): string[] {
  const { Type = '', Properties = {} } = stack.template.Resources[logicalId] ?? {};
  // APIs may share a name: their ids distinguish them.
  if (Type === 'AWS::ApiGatewayV2::Api') return [];
  const named = [otherNames[Type] ?? 'Name', `${Type.split('::').at(-1)}Name`].flatMap((path) =>
    valuesAt(Properties, path),
  );
  const scope = scopes[Type] === undefined ? '' : qualified(Properties[scopes[Type]], stack);
  return named.map((name) => `${Type} ${qualified(name, stack)} ${scope}`.trim());
}

/** A reference to a resource, distinct from one of another stack with the same logical id. */
function qualified(value: unknown, { name, template }: Stack): string {
  const text = JSON.stringify(value ?? 'default');
  return Object.keys(template.Resources).some((id) => text.includes(`"${id}"`)) ? `${name} ${text}` : text;
}

/** Namespaces of metrics that are ours: in alarms, metric filters and the environment of functions. */
const namespacePaths = [
  'Namespace',
  'MetricTransformations.*.MetricNamespace',
  'Environment.Variables.POWERTOOLS_METRICS_NAMESPACE',
];

/** Namespaces in which the metrics, and so the alarms, of two sets of stacks would run together. */
export function sharedNamespaces(one: readonly Stack[], other: readonly Stack[]): string[] {
  const others = namespacesOf(other);
  return [...namespacesOf(one)].filter((namespace) => others.has(namespace));
}

function namespacesOf(stacks: readonly Stack[]): Set<string> {
  const all = stacks.flatMap(({ template }) =>
    Object.values(template.Resources).flatMap(({ Properties }) =>
      namespacePaths.flatMap((path) => valuesAt(Properties, path)),
    ),
  );
  return new Set(all.map(String).filter((namespace) => !namespace.startsWith('AWS/')));
}

/**
 * The values at a path in JSON; `*` stands for every element of a list or every member of an object.
 *
 * @example
 * valuesAt(rule, 'Targets.*.Arn')
 */
function valuesAt(value: unknown, path: string): unknown[] {
  const [step, ...rest] = path.split('.');
  if (step === undefined || typeof value !== 'object' || value === null) return [];
  const found =
    step === '*' ? Object.values(value) : Object.hasOwn(value, step) ? [Reflect.get(value, step)] : [];
  return rest.length === 0 ? found : found.flatMap((inner) => valuesAt(inner, rest.join('.')));
}
