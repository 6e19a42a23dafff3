/** An HTTP request of the command line; only POST is needed. */
export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface PostAnswer {
  readonly status: number;
  readonly body: string;
}

/** Posts; throws what `fetch` throws where there is no answer. */
export type Post = (request: PostRequest) => Promise<PostAnswer>;

const timeoutMs = 15_000;

export const post: Post = async ({ url, headers, body }) => {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    // A view of the bytes' own buffer, which is what fetch takes.
    body: new Uint8Array(body),
    // A webhook's sender does not follow redirects either.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: response.status, body: await response.text() };
};
