import { compileExpression } from '../../functions/core/events/expression.ts';

/** What an expression finds in an event; nothing where it fails on one, as what a person wrote may. */
export function lookUp(expression: string): (event: unknown) => unknown {
  const evaluate = compileExpression(expression);
  return (event) => {
    try {
      return evaluate(event);
    } catch {
      return undefined;
    }
  };
}
