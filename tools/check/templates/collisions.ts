import { exportsOf } from './references.ts';
import { type Stack, valuesAt } from './stack.ts';

/** Within what a name has to be unique, where that is not the account and region: a property that refers to it. */
const scopes: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::Stage': 'ApiId',
  'AWS::EventSchemas::Schema': 'RegistryName',
  'AWS::Events::Rule': 'EventBusName',
  'AWS::Glue::Table': 'DatabaseName',
  'AWS::IAM::Policy': 'Roles',
  'AWS::Logs::MetricFilter': 'LogGroupName',
};

/** Names that are not called after their type. A statement's id has to be unique in the account (page of the type, "StatementId"). */
const otherNames: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::DomainName': 'DomainName',
  'AWS::Events::EventBusPolicy': 'StatementId',
  'AWS::Glue::Database': 'DatabaseInput.Name',
  'AWS::Glue::Table': 'TableInput.Name',
  'AWS::Logs::MetricFilter': 'FilterName',
};

/** Namespaces of metrics that are ours: in alarms, metric filters and the environment of functions. */
const namespacePaths = [
  'Namespace',
  'MetricTransformations.*.MetricNamespace',
  'Environment.Variables.POWERTOOLS_METRICS_NAMESPACE',
];

/** APIs may share a name: their ids distinguish them. */
const sharedNames = ['AWS::ApiGatewayV2::Api'];

/**
 * Returns the collisions of these stacks in one account and region: names of stacks, exports and resources that are there
 * twice.
 */
export function collisions(stacks: readonly Stack[]): string[] {
  return twice([
    ...stacks.map(({ name }) => `stack ${name}`),
    ...stacks.flatMap(exportsOf).map((name) => `export ${name}`),
    ...stacks.flatMap(physicalNames),
  ]);
}

/** The names that a template sets itself, with what they are unique in. */
export function physicalNames(stack: Stack): string[] {
  return Object.values(stack.template.Resources).flatMap(({ Type, Properties }) => {
    if (sharedNames.includes(Type)) return [];
    const named = [otherNames[Type] ?? 'Name', `${Type.split('::').at(-1)}Name`].flatMap((path) =>
      valuesAt(Properties, path),
    );
    const scope = scopes[Type] === undefined ? '' : qualified(Properties[scopes[Type]], stack);
    return named.map((name) => `${Type} ${qualified(name, stack)} ${scope}`.trim());
  });
}

/** A reference to a resource, distinct from one of another stack with the same logical id. */
function qualified(value: unknown, { name, template }: Stack): string {
  const text = JSON.stringify(value ?? 'default');
  return Object.keys(template.Resources).some((id) => text.includes(`"${id}"`)) ? `${name} ${text}` : text;
}

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

const twice = (names: readonly string[]) => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
];
