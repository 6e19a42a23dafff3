// Passes each request of the SMS service on to the old system and to the pipeline, as received, while you compare the two.
// A Lambda function behind a function URL or an HTTP API. docs/guides/moving-from-another-system.md has the steps.
// The path of a request is dropped: OLD_URL and PIPELINE_URL are whole addresses. The query is added to both.
const oldUrl = urlIn('OLD_URL');
const pipelineUrl = urlIn('PIPELINE_URL');

/** Less than the service waits: some give up after two seconds. */
const timeoutMs = 1500;

/** Headers of one connection. All others are passed on, because a signature may cover them. */
const ofConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** An event of a function URL or an HTTP API, payload 2.0. */
interface HttpEvent {
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawQueryString?: string;
  readonly requestContext: { readonly http: { readonly method: string } };
}

export async function handler(event: HttpEvent) {
  const { body = '', isBase64Encoded, headers, rawQueryString = '', requestContext } = event;
  const { method } = requestContext.http;
  const passOn = async (url: string) => {
    const query = rawQueryString === '' ? '' : `${url.includes('?') ? '&' : '?'}${rawQueryString}`;
    const response = await fetch(url + query, {
      method,
      headers: Object.entries(headers).filter(([name]) => !ofConnection.has(name.toLowerCase())),
      // A signature covers the bytes, so the body must not be parsed and written again.
      ...(method === 'GET' ? {} : { body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      statusCode: response.status,
      headers: { 'content-type': response.headers.get('content-type') ?? 'text/plain' },
      body: await response.text(),
    };
  };
  const [old, pipeline] = await Promise.allSettled([passOn(oldUrl), passOn(pipelineUrl)]);
  logUnlessAccepted('old system', old);
  logUnlessAccepted('pipeline', pipeline);
  // The old system's answer counts until you switch, so that the new one can break nothing.
  return old.status === 'fulfilled' ? old.value : { statusCode: 503, body: '' };
}

/** Logs the status or the name of the error only, because URLs and bodies may have secrets, numbers and texts. */
function logUnlessAccepted(system: string, result: PromiseSettledResult<{ readonly statusCode: number }>) {
  if (result.status === 'fulfilled' && result.value.statusCode < 300) return;
  const reason = result.status === 'fulfilled' ? result.value.statusCode : errorName(result.reason);
  console.error(JSON.stringify({ message: `The ${system} did not accept the request`, system, reason }));
}

const errorName = (error: unknown) => (error instanceof Error ? error.name : 'unknown');

/** Requests have numbers and texts, so they leave this machine encrypted. @throws Error at cold start, so that a wrong setting is seen at once */
function urlIn(variable: string) {
  const url = process.env[variable] ?? '';
  const { protocol, hostname } = URL.parse(url) ?? {};
  if (protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1')) return url;
  throw new Error(`Set ${variable} to a URL that begins with https://.`);
}
