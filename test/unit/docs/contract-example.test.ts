import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseContract } from '../../../contract/document/parse.ts';
import { shippedContractJson } from '../../../tools/support/contracts.ts';

const page = readFileSync(new URL('../../../docs/reference/contract.md', import.meta.url), 'utf8');
const section = page.split('## A complete example\n')[1]?.split(/^## /m)[0] ?? '';
const [body, contract] = [...section.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) =>
  JSON.parse(json),
);

it('the complete example of the reference reads the body that it shows', () => {
  // Registration is off in the example, so it says nothing about the API of the service.
  const { service } = JSON.parse(JSON.stringify(shippedContractJson));
  const { samples } = parseContract({ service, ...contract });
  expect(samples.map((sample) => sample.body)).toEqual([body]);
});
