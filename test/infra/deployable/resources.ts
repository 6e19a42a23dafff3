import { filledIn } from './filled-in.ts';
import type { Resource, Stack } from './stack.ts';

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
