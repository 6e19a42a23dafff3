/** Headers by name; of one that is given several times, in whatever case, the values with commas between, as gateways do. */
export function headerMap(headers: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
  const byName = new Map<string, readonly [string, string]>();
  for (const [name, value] of headers) {
    const [firstName, before] = byName.get(name.toLowerCase()) ?? [name];
    byName.set(name.toLowerCase(), [firstName, before === undefined ? value : `${before},${value}`]);
  }
  return Object.fromEntries(byName.values());
}

/** @param name in lower case */
export function headerNamed(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1];
}

/**
 * The URL a request was posted to. A path is completed by the header Host, as HTTPS unless X-Forwarded-Proto says
 * otherwise: what stands behind a proxy is given the path alone.
 *
 * @returns undefined where the target is no URL and there is no host for a path
 */
export function urlOf(target: string, headers: Readonly<Record<string, string>>): string | undefined {
  if (!target.startsWith('/'))
    return /^https?:\/\//.test(target) && URL.canParse(target) ? target : undefined;
  const host = headerNamed(headers, 'host');
  const scheme = headerNamed(headers, 'x-forwarded-proto') === 'http' ? 'http' : 'https';
  // As it was written: signatures may cover the very text, which the class URL would tidy.
  const url = `${scheme}://${host}${target}`;
  return host !== undefined && URL.canParse(url) ? url : undefined;
}

/** ISO 8601 with a zone. */
export function isCaptureTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}
