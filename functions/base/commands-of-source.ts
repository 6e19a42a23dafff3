const webhookCommand =
  /(?<=sms |")webhook (?:status|register|deactivate|reconcile|rotate|store-secret)(?: --force)?/g;

/**
 * Adds `--source` to the commands about a webhook that a text suggests. Without it they would change the webhook of `main`.
 *
 * @param source undefined for `main`
 */
export function namingSource(text: string, source: string | undefined): string {
  return source === undefined ? text : text.replaceAll(webhookCommand, `$& --source ${source}`);
}
