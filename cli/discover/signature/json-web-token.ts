/** A JSON Web Token in compact form (RFC 7515, section 7.1), read but not verified. */
export interface JsonWebToken {
  /** Before it in the header, such as "Bearer ". */
  readonly prefix: string;
  readonly algorithm: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

const tokenShape = /^((?:[A-Za-z][\w-]{0,31}[ =:] ?)?)([\w-]+)\.([\w-]+)\.([\w-]*)$/;

/** @returns undefined for a header that holds no such token */
export function readToken(value: string): JsonWebToken | undefined {
  const [, prefix = '', head = '', payload = ''] = tokenShape.exec(value) ?? [];
  const algorithm = parseObject(head)?.alg;
  const claims = parseObject(payload);
  return claims === undefined || typeof algorithm !== 'string' ? undefined : { prefix, algorithm, claims };
}

function parseObject(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
