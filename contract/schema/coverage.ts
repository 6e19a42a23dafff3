import { isOfBody, isOfPath, isOfQuery, parseTemplate, type WebhookMethod } from './signed-template.ts';

type Place = { readonly [K in 'header' | 'query' | 'body']?: string | undefined };

/** The parts of a scheme that decide which bytes of a request it signs. */
interface TextScheme extends Place {
  readonly signedContent: string;
  readonly payloadHash?: Place | undefined;
  readonly id: Place | null;
  readonly timestamp: Place | null;
}

/** What a signature covers. */
interface Coverage {
  /** Whether the body is signed. A GET has its query in the place of a body. */
  readonly body: boolean;
  readonly query: boolean;
}

/** Reports which bytes of a request the signed content covers. */
export function coverageOf(scheme: TextScheme, method: WebhookMethod): Coverage {
  const { placeholders } = parseTemplate(scheme.signedContent);
  const query = placeholders.some(isOfQuery);
  const isList = placeholders.some((part) => part?.kind === 'list' && isOfBody(part));
  if (method === 'GET') return { body: query || isList, query: query || isList };
  const { payloadHash } = scheme;
  const hash = payloadHash !== undefined && coversPlace(scheme, payloadHash, { body: false, query });
  return { body: placeholders.some(isOfBody) || hash, query };
}

/** Reports whether the signed content covers the path of the URL. */
export function coversPath({ signedContent }: Pick<TextScheme, 'signedContent'>): boolean {
  return parseTemplate(signedContent).placeholders.some(isOfPath);
}

/** Reports whether a value of the request is signed: by its placeholder, or with the query or the body that holds it. */
export function isSigned(
  scheme: TextScheme,
  name: 'id' | 'timestamp',
  method: WebhookMethod = 'POST',
): boolean {
  const place = scheme[name];
  if (place === null) return false;
  const { placeholders } = parseTemplate(scheme.signedContent);
  if (placeholders.some((part) => part?.kind === name)) return true;
  return coversPlace(scheme, place, coverageOf(scheme, method));
}

function coversPlace(scheme: TextScheme, { header, query, body }: Place, coverage: Coverage): boolean {
  if (query !== undefined && coverage.query) return true;
  if (body !== undefined && coverage.body) return true;
  const { placeholders } = parseTemplate(scheme.signedContent);
  return placeholders.some(
    (part) =>
      (part?.kind === 'header' && part.name.toLowerCase() === header?.toLowerCase()) ||
      (part?.kind === 'parameter' && part.name === query) ||
      (part?.kind === 'field' && part.name === body),
  );
}
