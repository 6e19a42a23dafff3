import type { WebhookMethod } from './signed-template.ts';
import type { WebhookContract } from './webhook-schema.ts';

/** How a service sends the requests of one HTTP method. */
export type RequestForm = Pick<WebhookContract, 'signature' | 'bodyFormat' | 'charset'> & {
  readonly method: WebhookMethod;
};

/** How the requests of one HTTP method are written: what decides how their values are read, by the verifier and by the mapping. */
export type RequestFormat = Pick<RequestForm, 'method' | 'bodyFormat' | 'charset'>;

export const postedJson: RequestFormat = { method: 'POST', bodyFormat: 'json' };

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
