import { attributePath } from './intrinsics.ts';
import { type Template, TemplateError } from './template.ts';

/** The logical ids of a template's resources in an order in which each comes after those it refers to. */
export function creationOrder(template: Template): string[] {
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
