import { expect, it } from 'vitest';
import { judgeMapping } from './random-mapping/judge-mapping.ts';
import { randomMapping } from './random-mapping/random-mapping.ts';
import { found } from './services.ts';

/** The nightly run has more. */
const count = Number(process.env.PROPERTY_RUNS ?? 15);

it('discovery proposes the mappings of made-up services with documented names: 98 % right, nothing certain is wrong', async () => {
  const services = Array.from({ length: count }, (_, index) => randomMapping(index + 1));
  const verdicts = await Promise.all(
    services.map(async (service) => {
      const discovery = await found(service.captured.map(({ capture }) => capture));
      return judgeMapping(service, discovery).map((verdict) => ({ ...verdict, service: service.name }));
    }),
  );
  const wrong = verdicts.flat().filter(({ isRight }) => !isRight);
  expect(wrong.filter(({ isCertain }) => isCertain)).toEqual([]);
  expect(wrong.length / verdicts.flat().length).toBeLessThanOrEqual(0.02);
});
