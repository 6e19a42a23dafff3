import type { WebhookMethod } from './signed-template.ts';
import type { WebhookContract } from './webhook-schema.ts';

/** How a service sends the requests of one HTTP method. */
export type RequestForm = Pick<WebhookContract, 'signature' | 'bodyFormat' | 'charset'> & {
  readonly method: WebhookMethod;
};

type Forms = Pick<WebhookContract, 'signature' | 'method' | 'bodyFormat' | 'charset' | 'also'>;

/** Lists the forms of requests that a contract accepts. The first one is the main form. */
export function requestForms({
  signature,
  method = 'POST',
  bodyFormat,
  charset,
  also,
}: Forms): readonly [RequestForm, ...RequestForm[]] {
  const main = { signature, method, bodyFormat, ...(charset !== undefined && { charset }) };
  return also === undefined ? [main] : [main, { signature, ...also }];
}

/** Returns the form of requests with this HTTP method. It is the main form if the contract names no other, or if the method is unknown. */
export function requestForm(webhook: Forms, method: string | undefined): RequestForm {
  const forms = requestForms(webhook);
  return forms.find((form) => form.method === method) ?? forms[0];
}
