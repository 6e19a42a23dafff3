import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { functionNames } from '../../../lib/bundling/bundle-functions.ts';
import { functionNamed, templateOf } from '../support/built-app.ts';

describe('metrics', () => {
  // Without a namespace they are dropped in silence, and no alarm has anything to look at.
  it.each(functionNames)('of %s have the namespace and the dimension of the alarms', (name) => {
    expect(functionNamed(templateOf(name), name).Properties).toMatchObject({
      Environment: {
        Variables: {
          POWERTOOLS_METRICS_NAMESPACE: 'SmsPipeline',
          POWERTOOLS_SERVICE_NAME: posix.basename(name),
        },
      },
    });
  });
});
