export type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy of the environment. */
interface NamedProxy {
  /** The variable, as it is spelled in the environment. */
  readonly variable: string;
  /** Undefined for a text that is no address of an HTTP proxy. */
  readonly url: URL | undefined;
}

/** The variables that name a proxy, as curl, the AWS CLI and Node.js read them. Their lowercase names win. */
const variables = ['HTTPS_PROXY', 'HTTP_PROXY'] as const;

/** Reads the proxies of the environment. An address without a scheme is one of HTTP. */
export function proxiesIn(environment: Environment): NamedProxy[] {
  return variables.flatMap((name) => {
    const variable = environment[name.toLowerCase()] ? name.toLowerCase() : name;
    const text = environment[variable]?.trim() ?? '';
    if (text === '') return [];
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    return [{ variable, url: /^https?:$/.test(url?.protocol ?? '') ? url : undefined }];
  });
}

/** Returns the variable that names this host as a proxy. @param host with its port, or alone if its address could not be found */
export function variableOfProxy(environment: Environment, host: string | undefined): string | undefined {
  const found = proxiesIn(environment).find(({ url }) => {
    if (url === undefined || host === undefined) return false;
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    const name = url.hostname.replace(/^\[|\]$/g, '');
    const names = name === 'localhost' ? [name, '127.0.0.1', '::1'] : [name];
    return names.some((one) => host === one || host === `${one}:${port}`);
  });
  return found?.variable;
}
