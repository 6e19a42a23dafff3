/** Returns whether a value of JSON is an object, with fields by name. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value of a text of JSON; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Events of message services never nest deeper. A deeper body is an attack on recursive code. */
export const maxBodyDepth = 64;

/** Returns whether a value of JSON has more levels of objects and lists than a limit. It does not recurse, so any depth is safe. */
export function isDeeperThan(limit: number, root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}
