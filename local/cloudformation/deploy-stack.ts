import { omitUndefined } from '../../functions/base/basics.ts';
import { AwsError } from '../aws-protocol/aws-json.ts';
import { arnOf } from '../aws-protocol/call.ts';
import { UserError } from '../terminal/terminal.ts';
import type { Stack } from './cloud-assembly.ts';
import { attributePath, resolveValue, type Scope } from './intrinsics.ts';
import { NotOnOneMachine, type Template, TemplateError } from './template.ts';

/** The logical ids of a template's resources, each after those that it refers to. */
function creationOrder(template: Template): string[] {
  const order: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (logicalId: string): void => {
    const resource = template.Resources[logicalId];
    if (!resource || state.get(logicalId) === 'done') return;
    if (state.get(logicalId) === 'open') throw new TemplateError(`${logicalId} depends on itself`);
    state.set(logicalId, 'open');
    const needed = new Set([...resource.DependsOn, ...references(resource.Properties)]);
    for (const dependency of needed) visit(dependency);
    state.set(logicalId, 'done');
    order.push(logicalId);
  };
  for (const logicalId of Object.keys(template.Resources)) visit(logicalId);
  return order;
}

function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) yield* references(item);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (key === 'Ref' && typeof item === 'string') yield item;
    else if (key === 'Fn::GetAtt') yield attributePath(item)[0];
    else if (key === 'Fn::Sub') yield* substituted(item);
    else yield* references(item);
  }
}

function* substituted(argument: unknown): Generator<string> {
  const [pattern, variables] = Array.isArray(argument) ? argument : [argument, undefined];
  yield* references(variables);
  if (typeof pattern !== 'string') return;
  for (const match of pattern.matchAll(/\$\{([^!}.][^}.]*)[^}]*\}/g)) {
    if (match[1] !== undefined) yield match[1];
  }
}

/** One resource of a template, its intrinsic functions resolved. */
export interface ResourceRequest {
  readonly stack: Stack;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The resource's `Metadata`, with its intrinsic functions unresolved. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Shows a line about the resource at the terminal. */
  note(line: string): void;
}

/** The values of a created resource that the rest of a template can use. */
interface CreatedResource {
  /** The value of `Ref`. */
  readonly ref: string;
  /** The values of `Fn::GetAtt`. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

export type CreateResource = (request: ResourceRequest) => Promise<CreatedResource>;

/** The resource types that are supported on one machine. */
export interface ResourceTypes {
  /** The creator of a type, if it is supported. */
  creator(type: string): CreateResource | undefined;
  /** Returns whether a type has no effect on one machine, for example an alarm. */
  isInert(type: string): boolean;
  /** Shows a line at the terminal. */
  note(line: string): void;
}

/** The outputs of a stack by name. */
export type StackOutputs = Record<string, string>;

/** The exported values of the stacks by name. Each deployed stack adds its own. */
export type Exports = Map<string, unknown>;

/**
 * Creates a stack's resources in the order of their references. Skips those that one machine does not have, each with a line that names it. The
 * references to a skipped resource get a made-up value.
 *
 * @throws UserError with the stack, the resource and what is wrong
 */
export async function deployStack(
  stack: Stack,
  types: ResourceTypes,
  exports: Exports,
): Promise<StackOutputs> {
  const created = new Map<string, CreatedResource>();
  const absent = new Set<string>();
  const scope = stackScope(stack, created, absent, exports);
  const leaveOut = (logicalId: string, type: string): void => {
    absent.add(logicalId);
    created.set(logicalId, inertResource(stack, logicalId, type));
  };
  for (const logicalId of creationOrder(stack.template)) {
    const resource = stack.template.Resources[logicalId];
    if (!resource) continue;
    const where = `stack ${stack.name}, resource ${logicalId} (${resource.Type})`;
    const note = (line: string): void => types.note(`${where}: ${line}`);
    if (types.isInert(resource.Type)) {
      leaveOut(logicalId, resource.Type);
      continue;
    }
    const create = types.creator(resource.Type);
    if (!create) {
      note('skipped, because one machine has no resources of this type');
      leaveOut(logicalId, resource.Type);
      continue;
    }
    if (resource.Condition)
      throw new UserError(
        `${where}: conditions are not supported on one machine. Decide in the app's code instead, as in \`if (...) new Queue(...)\`.`,
      );
    try {
      const made = await located(where, async () => {
        const properties = Object.entries(resource.Properties).map(
          ([name, value]) => [name, resolveValue(value, scope)] as const,
        );
        const { Metadata: metadata } = resource;
        return create({
          stack,
          logicalId,
          type: resource.Type,
          properties: omitUndefined(Object.fromEntries(properties)),
          ...(metadata && { metadata }),
          note,
        });
      });
      created.set(logicalId, made);
    } catch (error) {
      if (!(error instanceof NotOnOneMachine)) throw error;
      note(`skipped: ${error.message}`);
      leaveOut(logicalId, resource.Type);
    }
  }
  return await outputs(stack, scope, exports);
}

/** The name that CloudFormation would give a resource without one, without the random part. */
export function physicalName(request: ResourceRequest, maxLength: number): string {
  const name = `${request.stack.name}-${request.logicalId}`;
  if (name.length <= maxLength) return name;
  return `${request.stack.name.slice(0, maxLength - request.logicalId.length - 1)}-${request.logicalId}`.slice(
    -maxLength,
  );
}

function stackScope(
  stack: Stack,
  created: ReadonlyMap<string, CreatedResource>,
  absent: ReadonlySet<string>,
  exports: Exports,
): Scope {
  return {
    stackName: stack.name,
    ref(name) {
      const resource = created.get(name);
      if (resource) return resource.ref;
      const parameter = stack.template.Parameters[name];
      if (parameter?.Default !== undefined && !parameter.Type.startsWith('AWS::SSM::'))
        return parameter.Default;
      throw new TemplateError(`Ref to ${name}: no such resource, and no parameter with a default value`);
    },
    attribute(logicalId, name) {
      const value = created.get(logicalId)?.attributes?.[name];
      if (value === undefined && absent.has(logicalId)) return `${stack.name}-${logicalId}-${name}`;
      if (value === undefined)
        throw new TemplateError(`Fn::GetAtt ${logicalId}.${name} is not known on one machine`);
      return value;
    },
    mapped(map, first, second) {
      const value = stack.template.Mappings[map]?.[first]?.[second];
      if (value === undefined) throw new TemplateError(`no mapping ${map}.${first}.${second}`);
      return value;
    },
    exported(name) {
      if (!exports.has(name)) throw new TemplateError(`no stack exports ${name}`);
      return exports.get(name);
    },
  };
}

function inertResource(stack: Stack, logicalId: string, type: string): CreatedResource {
  const name = `${stack.name}-${logicalId}`;
  const service = type.split('::')[1]?.toLowerCase() ?? 'local';
  const kind = type === 'AWS::Lambda::Function' ? 'function:' : '';
  return { ref: name, attributes: { Arn: arnOf(service, `${kind}${name}`) } };
}

async function outputs(stack: Stack, scope: Scope, exports: Exports): Promise<StackOutputs> {
  const values: StackOutputs = {};
  for (const [name, output] of Object.entries(stack.template.Outputs)) {
    await located(`stack ${stack.name}, output ${name}`, async () => {
      const value = resolveValue(output.Value, scope);
      if (output.Export) exports.set(String(resolveValue(output.Export.Name, scope)), value);
      // CDK's exports between stacks are listed too, as `cdk deploy --outputs-file` does.
      values[name] = String(value);
    });
  }
  return values;
}

async function located<T>(where: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof NotOnOneMachine) throw error;
    // A local service rejects the resource as AWS would.
    const isRejection = error instanceof AwsError || (error instanceof Error && '$metadata' in error);
    if (error instanceof TemplateError || isRejection) throw new UserError(`${where}: ${error.message}`);
    throw error;
  }
}
