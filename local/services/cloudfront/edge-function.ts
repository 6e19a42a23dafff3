import { createContext, Script } from 'node:vm';
import * as z from 'zod';

/** Changes the path of a request, as a CloudFront function for viewer requests does. */
export type EdgeFunction = (path: string) => string;

const changed = z.looseObject({ uri: z.string() });

/** Compiles the code of a CloudFront function, which has a function `handler(event)`. It sees nothing of this process. */
export function compileEdgeFunction(code: string): EdgeFunction {
  const script = new Script(`${code}\nJSON.stringify(handler(JSON.parse(input)))`);
  return (uri) => {
    const input = JSON.stringify({
      request: { method: 'GET', uri, headers: {}, querystring: {}, cookies: {} },
    });
    return changed.parse(JSON.parse(String(script.runInContext(createContext({ input }))))).uri;
  };
}
