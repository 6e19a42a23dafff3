import { isRetained } from '../../cli/commands/deploy/stacks.ts';
import { statefulTypes } from '../../cli/commands/deploy/stateful-types.ts';
import type { Stack } from '../../local/cloudformation/cloud-assembly.ts';

/** The pinned properties of a resource, without those that the template does not set, and its policies other than Delete. */
export type Pinned = Readonly<Record<string, unknown>>;

/** The stateful resources by stack and logical id: `SmsPipeline/HistoryD990305F`. */
export function statefulResources(stacks: readonly Stack[]): Record<string, Pinned> {
  const found = stacks.flatMap((stack) =>
    Object.entries(stack.template.Resources).flatMap(
      ([id, { Type, Properties, ...attributes }]): [string, Pinned][] => {
        const pinned = (statefulTypes[Type]?.pinned ?? [])
          .filter((name) => Properties[name] !== undefined)
          .map((name) => [name, Properties[name]]);
        const policies = ['DeletionPolicy', 'UpdateReplacePolicy']
          .filter((name) => (attributes[name] ?? 'Delete') !== 'Delete')
          .map((name) => [name, attributes[name]]);
        return statefulTypes[Type]
          ? [[`${stack.name}/${id}`, { Type, ...Object.fromEntries([...policies, ...pinned]) }]]
          : [];
      },
    ),
  );
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Resources that stay behind when their stack goes and are of no type that is pinned. */
export function retainedUnpinned(stacks: readonly Stack[]): string[] {
  return stacks.flatMap(({ name, template }) =>
    Object.entries(template.Resources)
      .filter(([, resource]) => isRetained(resource) && statefulTypes[resource.Type] === undefined)
      .map(([id, { Type }]) => `${name} ${id}: ${Type}`),
  );
}
