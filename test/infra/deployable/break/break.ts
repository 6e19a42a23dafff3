import { type Resource, type Stack, valuesAt } from '../../../../tools/check/templates/stack.ts';

/** The stack whose name ends so. */
export function stackCalled(stacks: readonly Stack[], ending: string): Stack {
  const found = stacks.find(({ name }) => name.endsWith(ending));
  if (found === undefined) throw new Error(`no stack *${ending}`);
  return found;
}

/** The first resource of a type, in whatever stack, whose logical id begins so. */
export function resourceOf(stacks: readonly Stack[], type: string, prefix = ''): Resource {
  for (const { template } of stacks)
    for (const [id, resource] of Object.entries(template.Resources))
      if (resource.Type === type && id.startsWith(prefix)) return resource;
  throw new Error(`no ${type} ${prefix}*`);
}

/** Puts a value at a path of a resource's properties; all of the path but its end has to be there. */
export function put({ Properties }: Resource, path: string, value: unknown): void {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const [inner] = steps.length === 0 ? [Properties] : valuesAt(Properties, steps.join('.'));
  if (typeof inner !== 'object' || inner === null) throw new Error(`nothing at ${steps.join('.')}`);
  Reflect.set(inner, last, value);
}

/** The logical id of such a resource. */
export function resourceId(stacks: readonly Stack[], type: string, prefix: string): string {
  const resource = resourceOf(stacks, type, prefix);
  const [id = ''] = stacks.flatMap(({ template }) =>
    Object.entries(template.Resources).flatMap(([key, value]) => (value === resource ? key : [])),
  );
  return id;
}

export const queue = (stacks: readonly Stack[]) => resourceOf(stacks, 'AWS::SQS::Queue', 'EventsQueue');
export const worker = (stacks: readonly Stack[]) =>
  resourceOf(stacks, 'AWS::Lambda::Function', 'EventsWorker');
export const mapping = (stacks: readonly Stack[]) =>
  resourceOf(stacks, 'AWS::Lambda::EventSourceMapping', 'EventsWorker');
export const rule = (stacks: readonly Stack[]) => resourceOf(stacks, 'AWS::Events::Rule', 'OptOut');
export const alarm = (stacks: readonly Stack[]) => resourceOf(stacks, 'AWS::CloudWatch::Alarm');
export const text = (characters: number) => 'x'.repeat(characters);
export const listOf = (count: number, item: unknown) => Array.from({ length: count }, () => item);

/** A change of stacks that makes them wrong. */
export type Break = (stacks: Stack[]) => void;

/** By the name of the check that finds them: mistakes, with what it says of them. */
export type Breaks = Readonly<
  Record<string, readonly (readonly [mistake: string, make: Break, found: RegExp])[]>
>;
