import { createRequire } from 'node:module';
import type { Stack } from './stack.ts';

const require = createRequire(import.meta.url);

/**
 * The attributes that Fn::GetAtt takes of a type, without dots, as the CDK's class of that type has them (it is made from
 * CloudFormation's own schemas); nothing of custom resources, which may have any.
 */
function attributesOf(type: string): ReadonlySet<string> | undefined {
  const [vendor, service = '', name] = type.split('::');
  if (vendor !== 'AWS') return undefined;
  const { prototype } = require(`aws-cdk-lib/aws-${service.toLowerCase()}`)[`Cfn${name}`];
  return new Set(
    Object.getOwnPropertyNames(prototype)
      .filter((property) => property.startsWith('attr'))
      .map((property) => property.slice('attr'.length)),
  );
}

/** The circles in a graph, each as text: `a > b > a`. One a place where a walk comes back to where it was. */
function circles(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (node: string, way: readonly string[]): void => {
    if (way.includes(node)) found.push([...way.slice(way.indexOf(node)), node].join(' > '));
    if (way.includes(node) || done.has(node)) return;
    for (const next of edges.get(node) ?? []) walk(next, [...way, node]);
    done.add(node);
  };
  for (const node of edges.keys()) walk(node, []);
  return found;
}

/** The target of an intrinsic function: in the same template (with or without an attribute), or exported by another one. */
type Reference =
  | { readonly kind: 'local'; readonly id: string; readonly attribute?: string; readonly path: string }
  | { readonly kind: 'import'; readonly name: string; readonly path: string };

/** Every reference in a part of a template. */
function* referencesIn(value: unknown, path = ''): Generator<Reference> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'Ref' && typeof inner === 'string') yield { kind: 'local', id: inner, path };
    else if (key === 'Fn::GetAtt') yield attributeReference(inner, path);
    else if (key === 'Fn::ImportValue' && typeof inner === 'string')
      yield { kind: 'import', name: inner, path };
    else {
      if (key === 'Fn::Sub') yield* substitutionsIn(inner, path);
      yield* referencesIn(inner, path === '' ? key : `${path}.${key}`);
    }
  }
}

/** `["Id", "Attribute"]` or `"Id.Attribute"`; an attribute may have dots itself. */
function attributeReference(argument: unknown, path: string): Reference {
  const [id = '', ...attribute] = Array.isArray(argument)
    ? argument.map(String)
    : String(argument).split('.');
  return { kind: 'local', id, attribute: attribute.join('.'), path };
}

/** `${Id}`, `${Id.Attribute}`; `${!Text}` is no reference, and what a second argument defines is none of the template. */
function* substitutionsIn(argument: unknown, path: string): Generator<Reference> {
  const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
  for (const [, name = ''] of String(text).matchAll(/\$\{([^!}][^}]*)\}/g))
    if (!Object.hasOwn(variables ?? {}, name))
      yield name.includes('.') ? attributeReference(name, path) : { kind: 'local', id: name, path };
}

/** Returns the references without a target. */
export function danglingReferences(stacks: readonly Stack[]): string[] {
  const exporters = new Map(stacks.flatMap((stack) => exportsOf(stack).map((name) => [name, stack.name])));
  return stacks.flatMap((stack) => {
    const { Resources, Parameters } = stack.template;
    const problems = [...referencesIn(stack.template)].flatMap((reference) => {
      const where = `${stack.name} ${reference.path}`;
      if (reference.kind === 'import') return importProblem(where, reference.name, exporters, stack);
      const { id, attribute } = reference;
      const type = Resources[id]?.Type;
      if (attribute === undefined)
        return type !== undefined || id in Parameters || id.startsWith('AWS::')
          ? []
          : [`${where}: no ${id} to refer to`];
      if (type === undefined) return [`${where}: no ${id} to take ${attribute} of`];
      return attributesOf(type)?.has(attribute.replaceAll('.', '')) === false
        ? [`${where}: ${type} has no attribute ${attribute}`]
        : [];
    });
    const waits = Object.entries(Resources).flatMap(([id, { DependsOn }]) =>
      DependsOn.filter((other) => !(other in Resources)).map(
        (other) => `${stack.name} ${id}: no ${other} to wait for`,
      ),
    );
    return [...problems, ...waits];
  });
}

function importProblem(
  where: string,
  name: string,
  exporters: ReadonlyMap<string, string>,
  stack: Stack,
): string[] {
  const exporter = exporters.get(name);
  if (exporter === undefined) return [`${where}: no stack exports ${name}`];
  return stack.dependsOn.includes(exporter)
    ? []
    : [`${where}: ${exporter} is not deployed before ${stack.name}`];
}

/** The names of a stack's exports. */
export function exportsOf({ template }: Stack): string[] {
  return Object.values(template.Outputs).flatMap(({ Export }) => Export?.Name ?? []);
}

/** Stacks, and resources of a stack, of which each waits for the other: CloudFormation can make neither. */
export function circularDependencies(stacks: readonly Stack[]): string[] {
  const ofStacks = circles(new Map(stacks.map(({ name, dependsOn }) => [name, dependsOn])));
  const ofResources = stacks.flatMap(({ template, name }) => {
    const waits = Object.entries(template.Resources).map(([id, resource]): [string, string[]] => [
      id,
      [
        ...resource.DependsOn,
        ...[...referencesIn(resource)].flatMap((found) => (found.kind === 'local' ? found.id : [])),
      ],
    ]);
    return circles(new Map(waits)).map((circle) => `${name}: ${circle}`);
  });
  return [...ofStacks, ...ofResources];
}
