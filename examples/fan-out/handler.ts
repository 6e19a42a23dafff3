// Passes each request of the SMS service on to the old system and to the pipeline, as received, while you compare the two.
// A Lambda function behind a function URL or an HTTP API. docs/guides/moving-from-another-system.md has the steps.
// The path of a request is dropped: OLD_URL and PIPELINE_URL are whole addresses without a query. The query of a request is added to both.
const oldUrl = urlIn('OLD_URL');
const pipelineUrl = urlIn('PIPELINE_URL');

/** Less than the service waits: some give up after two seconds. */
const timeoutMs = 1500;

/** Headers of one connection (RFC 9110, section 7.6.1), some of which fetch refuses. All others are passed on, because a signature may cover them. */
const ofConnection =
  /^(?:host|connection|content-length|expect|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

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
  if (method !== 'POST' && method !== 'GET')
    return { statusCode: 405, headers: { allow: 'GET, POST' }, body: '' };
  const passOn = async (url: string) => {
    const response = await fetch(rawQueryString === '' ? url : `${url}?${rawQueryString}`, {
      method,
      headers: headersToSend(headers),
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

/** Leaves out what cannot be sent, because a header must not keep a request from both systems. */
function headersToSend(received: HttpEvent['headers']): Headers {
  const sent = new Headers();
  const connection =
    Object.entries(received).find(([name]) => name.toLowerCase() === 'connection')?.[1] ?? '';
  const ofThisConnection = connection.split(',').map((name) => name.trim().toLowerCase());
  for (const [name, value] of Object.entries(received)) {
    if (ofConnection.test(name) || ofThisConnection.includes(name.toLowerCase())) continue;
    try {
      sent.append(name, value);
    } catch {
      // The name or the value has characters that HTTP does not allow.
    }
  }
  return sent;
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
  const { protocol, hostname, username, password } = URL.parse(url) ?? {};
  if (protocol !== 'https:' && !(protocol === 'http:' && hostname === '127.0.0.1'))
    throw new Error(`Set ${variable} to a URL that begins with https://.`);
  if (/[?#]/.test(url) || username || password)
    throw new Error(
      `Remove the query, the user and the password from ${variable}. The function would add them to the request of every sender, so that the system would take a stranger for your provider. The provider itself must send them.`,
    );
  return url;
}
