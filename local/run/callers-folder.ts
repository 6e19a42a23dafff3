/**
 * Returns the folder that a command was called from. npm runs a script in the folder of its package, and passes the caller's folder in
 * `INIT_CWD`. The processes that a script starts inherit both variables, so the names of the scripts and the folder are compared.
 *
 * @param scripts the scripts of package.json that run this command
 * @param project the folder of the package
 * @param folder the folder that the process runs in
 */
export function callersFolder(
  scripts: readonly string[],
  project: string,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const isRunByNpm = folder === project && scripts.includes(environment.npm_lifecycle_event ?? '');
  return (isRunByNpm && environment.INIT_CWD) || folder;
}
