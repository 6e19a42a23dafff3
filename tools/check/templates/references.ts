import type { Stack } from './stack.ts';

/** The names of the exports that a part of a template imports, each with its path. */
function* importsIn(value: unknown, path = ''): Generator<{ name: string; path: string }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'Fn::ImportValue' && typeof inner === 'string') yield { name: inner, path };
    else yield* importsIn(inner, path === '' ? key : `${path}.${key}`);
  }
}

/** Imports that no stack exports, or that are exported by a stack that is not deployed before. */
export function importProblems(stacks: readonly Stack[]): string[] {
  const exporters = new Map(stacks.flatMap((stack) => exportsOf(stack).map((name) => [name, stack.name])));
  return stacks.flatMap((stack) =>
    [...importsIn(stack.template)].flatMap(({ name, path }) => {
      const exporter = exporters.get(name);
      if (exporter === undefined) return [`${stack.name} ${path}: no stack exports ${name}`];
      return stack.dependsOn.includes(exporter)
        ? []
        : [`${stack.name} ${path}: ${exporter} is not deployed before ${stack.name}`];
    }),
  );
}

/** The names of a stack's exports. */
export function exportsOf({ template }: Stack): string[] {
  return Object.values(template.Outputs).flatMap(({ Export }) => Export?.Name ?? []);
}
