import { extendContract } from './extend.ts';

/**
 * A preset as what extends it in a project's contract: it says nothing of the service's own API, and one of a signature alone nothing
 * of events.
 *
 * @param preset as its file holds it, resolved: a contract that is whole is given back as it is
 * @param project the project's contract, resolved; asked for only where something is missing
 */
export function completePreset(preset: unknown, project: () => unknown): unknown {
  if (!isObject(preset) || preset.service !== undefined) return preset;
  const base = project();
  if (!isObject(base)) return preset;
  const { service, events, statuses, webhook } = base;
  const isSignatureAlone = !isObject(preset.events) || preset.events.list === undefined;
  return extendContract(
    { service, ...(isSignatureAlone ? { events, statuses, webhook } : {}), samples: [] },
    preset,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
