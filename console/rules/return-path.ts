/** Returns the path to show after a sign-in. Two slashes at its beginning would name another host. */
export function returnPath({
  pathname,
  search,
  hash,
}: Readonly<Record<'pathname' | 'search' | 'hash', string>>): string {
  return pathname.replace(/^[/\\]+/, '/') + search + hash;
}
