import fc, { type IAsyncPropertyWithHooks, type IPropertyWithHooks, type Parameters } from 'fast-check';
import { expect } from 'vitest';

/**
 * Checks a property as `fc.assert` does, and fails unless each run called `expect`. A property skips an input with `fc.pre`, which draws
 * another: a run that returns early proves nothing.
 */
export function assertProperty<T>(property: IPropertyWithHooks<T>, parameters?: Parameters<T>): void;
export function assertProperty<T>(
  property: IAsyncPropertyWithHooks<T>,
  parameters?: Parameters<T>,
): Promise<void>;
export function assertProperty<T>(
  property: IPropertyWithHooks<T> | IAsyncPropertyWithHooks<T>,
  parameters?: Parameters<T>,
): void | Promise<void> {
  const { assertionCalls } = expect.getState();
  let callsBefore = assertionCalls;
  let runsThatAsserted = 0;
  const begin = () => {
    callsBefore = expect.getState().assertionCalls;
  };
  const end = () => {
    if (expect.getState().assertionCalls > callsBefore) runsThatAsserted += 1;
  };
  const verdict = () => {
    const runs = parameters?.numRuns ?? fc.readConfigureGlobal().numRuns ?? 100;
    expect(runsThatAsserted, 'runs of the property that called expect').toBeGreaterThanOrEqual(runs);
  };
  const hooked = property.beforeEach(begin).afterEach(end);
  if (!hooked.isAsync()) {
    fc.assert(hooked as IPropertyWithHooks<T>, parameters);
    return verdict();
  }
  return fc.assert(hooked as IAsyncPropertyWithHooks<T>, parameters).then(verdict);
}
