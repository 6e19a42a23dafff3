import { gunzipSync } from 'node:zlib';
import { JMESPathTypeError } from '@aws-lambda-powertools/jmespath';
import { Functions, PowertoolsFunctions } from '@aws-lambda-powertools/jmespath/functions';
import { decodeBase64, decodeHex, decodePercent, decodeText, EncodingError } from '../text/charset.ts';
import { isDeeperThan, maxBodyDepth, parseExactly } from '../text/json.ts';

/** A body has at most 256 KiB. What is compressed in it may be larger, but no event is. */
const maxUnzippedBytes = 1024 * 1024;

/**
 * The functions of expressions for values that are encoded once more: those of Powertools under their names, and two of our own. They decode
 * exactly, while those of Powertools replace what is no text.
 */
class ExactFunctions extends PowertoolsFunctions {
  override funcPowertoolsBase64(value: string): string {
    return decodeText(decodeBase64(value), 'utf-8');
  }

  override funcPowertoolsBase64Gzip(value: string): string {
    let bytes: Buffer;
    try {
      bytes = gunzipSync(decodeBase64(value), { maxOutputLength: maxUnzippedBytes });
    } catch {
      throw new EncodingError('not compressed by gzip');
    }
    return decodeText(bytes, 'utf-8');
  }

  override funcPowertoolsJson(value: string): ReturnType<PowertoolsFunctions['funcPowertoolsJson']> {
    const json = parseExactly(value);
    if (json === undefined || isDeeperThan(maxBodyDepth, json)) throw new EncodingError('not JSON');
    return json as ReturnType<PowertoolsFunctions['funcPowertoolsJson']>;
  }

  /** Reads "+" as a blank, as in forms. A plus sign is written as %2B. */
  funcPercentDecode(value: string, charset: string): string {
    return decodePercent(value.replaceAll('+', ' '), charset);
  }

  funcHexDecode(value: string, charset: string): string {
    return decodeHex(value, charset);
  }
}

/** Thrown for a value that is not encoded as an expression says. The library drops errors that are not its own. It never holds the value. */
export class UndecodableError extends JMESPathTypeError {
  override readonly name = 'UndecodableError';

  constructor(cause: EncodingError) {
    super({ currentValue: undefined, expectedTypes: [], actualType: 'string' });
    this.message = cause.message;
  }
}

/** The library checks arguments by a decorator, which erasable TypeScript does not have. */
function requireTexts(name: keyof ExactFunctions & string, argumentCount: number): void {
  const method = Object.getOwnPropertyDescriptor(ExactFunctions.prototype, name);
  if (method === undefined) throw new TypeError(`no function ${name}`);
  const decode: (...texts: string[]) => unknown = method.value;
  method.value = (...texts: string[]) => {
    try {
      return decode(...texts);
    } catch (error) {
      throw error instanceof EncodingError ? new UndecodableError(error) : error;
    }
  };
  const argumentsSpecs = Array.from({ length: argumentCount }, (): ['string'] => ['string']);
  Functions.signature({ argumentsSpecs })(ExactFunctions.prototype, name, method);
  Object.defineProperty(ExactFunctions.prototype, name, method);
}
requireTexts('funcPowertoolsBase64', 1);
requireTexts('funcPowertoolsBase64Gzip', 1);
requireTexts('funcPowertoolsJson', 1);
requireTexts('funcPercentDecode', 2);
requireTexts('funcHexDecode', 2);

/** The library would list the names of the functions at every evaluation, which takes most of its time. */
export const expressionFunctions = new ExactFunctions();
const names = expressionFunctions.introspectMethods();
expressionFunctions.introspectMethods = () => names;
