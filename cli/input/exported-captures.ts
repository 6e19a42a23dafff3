import * as z from 'zod';

/** One request in the project's own JSON, before it is validated. */
interface PlainCapture {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly bodyBase64: string;
  readonly receivedAt?: string;
}

const namedValues = z.array(z.object({ name: z.string(), value: z.string() }));
const valuesByName = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** HTTP Archive 1.2, as browsers and proxies export it. */
const harSchema = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        startedDateTime: z.string().optional(),
        request: z.object({
          method: z.string(),
          url: z.string(),
          headers: namedValues,
          postData: z.object({ text: z.string().optional(), encoding: z.string().optional() }).optional(),
        }),
      }),
    ),
  }),
});

const ngrokRequest = z.object({
  start: z.string().optional(),
  request: z.object({ method: z.string(), uri: z.string(), headers: valuesByName, raw: z.string() }),
});
/** The answer of http://127.0.0.1:4040/api/requests/http, the API of the ngrok agent, or one of its requests. */
const ngrokSchema = z.union([z.object({ requests: z.array(ngrokRequest) }), ngrokRequest]);

const webhookSiteRequest = z.object({
  uuid: z.string(),
  method: z.string(),
  url: z.string(),
  headers: valuesByName,
  content: z.string().nullable(),
  created_at: z.string().optional(),
});
/** The answer of https://webhook.site/token/.../requests, or requests of it. */
const webhookSiteSchema = z.union([
  z.object({ data: z.array(webhookSiteRequest) }),
  // Not `min`, which also reads the length of what is no list, and fails where that is an object.
  z.array(webhookSiteRequest).refine((list) => list.length > 0),
  webhookSiteRequest,
]);

/**
 * Recognises a HAR file, an export of ngrok and one of webhook.site, and returns its requests in the project's own form.
 *
 * @returns undefined for JSON of another form
 */
export function exportedCaptures(json: unknown): readonly PlainCapture[] | undefined {
  const har = harSchema.safeParse(json);
  if (har.success) return harCaptures(har.data);
  const ngrok = ngrokSchema.safeParse(json);
  if (ngrok.success) return ('requests' in ngrok.data ? ngrok.data.requests : [ngrok.data]).map(ngrokCapture);
  const site = webhookSiteSchema.safeParse(json);
  if (site.success) return ('data' in site.data ? site.data.data : [site.data].flat()).map(siteCapture);
  return undefined;
}

/** A HAR file of a browser also holds pages and scripts, so that requests without a body count only if none has one. */
function harCaptures({ log }: z.output<typeof harSchema>): readonly PlainCapture[] {
  const all = log.entries.map(({ startedDateTime, request }): PlainCapture => {
    const { text = '', encoding } = request.postData ?? {};
    return {
      method: request.method,
      url: request.url,
      // HTTP/2 has pseudo-headers, which are parts of the request line.
      headers: byName(request.headers.filter(({ name }) => !name.startsWith(':'))),
      bodyBase64: encoding === 'base64' ? text : Buffer.from(text).toString('base64'),
      ...timeOf(startedDateTime),
    };
  });
  const withBody = all.filter(({ bodyBase64 }) => bodyBase64 !== '');
  return withBody.length > 0 ? withBody : all.filter(({ url }) => url.includes('?'));
}

function ngrokCapture({ start, request }: z.output<typeof ngrokRequest>): PlainCapture {
  const raw = Buffer.from(request.raw, 'base64');
  const end = raw.indexOf('\r\n\r\n');
  return {
    method: request.method,
    url: request.uri,
    headers: listsOf(request.headers),
    bodyBase64: (end === -1 ? Buffer.alloc(0) : raw.subarray(end + 4)).toString('base64'),
    ...timeOf(start),
  };
}

function siteCapture({
  method,
  url,
  headers,
  content,
  created_at,
}: z.output<typeof webhookSiteRequest>): PlainCapture {
  return {
    method,
    url,
    headers: listsOf(headers),
    bodyBase64: Buffer.from(content ?? '').toString('base64'),
    // Written in UTC without a zone.
    ...timeOf(created_at === undefined ? undefined : `${created_at.replace(' ', 'T').replace(/Z$/, '')}Z`),
  };
}

function byName(headers: z.output<typeof namedValues>): Readonly<Record<string, readonly string[]>> {
  const lists = Map.groupBy(headers, ({ name }) => name);
  return Object.fromEntries([...lists].map(([name, same]) => [name, same.map(({ value }) => value)]));
}

function listsOf(headers: z.output<typeof valuesByName>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [values].flat()]));
}

/** Normalises a time. A time that cannot be read is left out: a capture may have none. */
function timeOf(text: string | undefined): Pick<PlainCapture, 'receivedAt'> {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? {} : { receivedAt: new Date(time).toISOString() };
}
