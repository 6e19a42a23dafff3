/** The service's webhook configuration; empty texts stand for what is not set. */
export interface ServiceWebhook {
  readonly url: string;
  readonly secret: string;
}

/** Whether two URLs are the same address; a service may write the host's case or the default port its own way. */
export function isSameUrl(one: string, other: string): boolean {
  return (
    one === other || (URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href)
  );
}
