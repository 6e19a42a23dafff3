import { JMESPathTypeError, search } from '@aws-lambda-powertools/jmespath';
import { Functions } from '@aws-lambda-powertools/jmespath/functions';

/** Evaluates one JMESPath expression over a JSON value; what is not there is null. */
export type Expression = (value: unknown) => unknown;

/** Of the standard. The library asks for their names at every evaluation, and takes most of its time to gather them. */
const customFunctions = new Functions();
const names = customFunctions.introspectMethods();
customFunctions.introspectMethods = () => names;

/**
 * Compiles a JMESPath expression. The library keeps the parsed form by its text, so each is parsed once.
 *
 * @throws ParseError, LexerError or another error of the library for text that is no JMESPath
 */
export function compileExpression(text: string): Expression {
  const evaluate = (value: unknown): unknown =>
    search(text, value as Parameters<typeof search>[1], { customFunctions });
  try {
    evaluate(null);
  } catch (error) {
    // A function that refuses null is no mistake of the text: it will meet other values.
    if (!(error instanceof JMESPathTypeError)) throw error;
  }
  return evaluate;
}
