/**
 * The values at a path in JSON; `*` stands for every element of a list or every member of an object.
 *
 * @example
 * valuesAt(rule, 'Targets.*.Arn')
 */
export function valuesAt(value: unknown, path: string): unknown[] {
  const [step, ...rest] = path.split('.');
  if (step === undefined || typeof value !== 'object' || value === null) return [];
  const found =
    step === '*' ? Object.values(value) : Object.hasOwn(value, step) ? [Reflect.get(value, step)] : [];
  return rest.length === 0 ? found : found.flatMap((inner) => valuesAt(inner, rest.join('.')));
}

/** The number at a path, if there is one. */
export function numberAt(value: unknown, path: string): number | undefined {
  const [found] = valuesAt(value, path);
  return typeof found === 'number' ? found : undefined;
}

/** Every text in JSON with the path to it. */
export function* textsIn(value: unknown, path = ''): Generator<{ path: string; text: string }> {
  if (typeof value === 'string' || typeof value === 'number') yield { path, text: String(value) };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    yield* textsIn(inner, path === '' ? key : `${path}.${key}`);
}
