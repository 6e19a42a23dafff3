/** Returns the path to show after a sign-in. Two slashes at its beginning would name another host. */
export function returnPath({
  pathname,
  search,
}: {
  readonly pathname: string;
  readonly search: string;
}): string {
  return pathname.replace(/^[/\\]+/, '/') + search;
}
