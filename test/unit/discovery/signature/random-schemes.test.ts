import { expect, it } from 'vitest';
import type { SignatureContract } from '../../../../contract/schema/contract-schema.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import type { Capture } from '../../../../discovery/captured/capture.ts';
import { findSignature } from '../../../../discovery/signature/find-signature.ts';
import { readableCapture, withQueryAsBody } from '../../../../discovery/signature/readable-capture.ts';
import { type RandomService, randomService } from '../random-service/random-service.ts';

/** The nightly run has more. */
const count = Number(process.env.PROPERTY_RUNS ?? 8);
const services = Array.from({ length: count }, (_, index) => randomService(index + 1));
/** The number of a request that the search has not seen. */
const fresh = 9;

it('findSignature finds how made-up services sign: each scheme accepts a new request and rejects a changed one', () => {
  const late: string[] = [];
  const problems = services.flatMap((service) => {
    const captures = capturesOf(service);
    const soon = findSignature(captures, [service.secret]);
    if (soon.kind === 'missed') late.push(service.name);
    const outcome =
      soon.kind === 'found' ? soon : findSignature(captures, [service.secret], { effortMs: 20_000 });
    if (outcome.kind === 'missed') return `${service.name}: not found`;
    const accepts = verifierOf(outcome.scheme, service.secret);
    const describe = (problem: string) => `${service.name}: ${problem}, by ${JSON.stringify(outcome.scheme)}`;
    return [
      ...(outcome.fits === captures.length ? [] : [describe(`fits ${outcome.fits}`)]),
      ...(accepts(service.capture(fresh)) ? [] : [describe('refuses a new request')]),
      ...service.covers
        .filter((change) => accepts(service.capture(fresh, change)))
        .map((change) => describe(`accepts another ${change}`)),
    ];
  });
  expect(problems).toEqual([]);
  // Of the rarest schemes the search tries the right one after its limit.
  expect(late.length).toBeLessThanOrEqual(count * 0.02);
});

it('findSignature finds no scheme for any of them with another secret', () => {
  // A full search takes as long as it may, so it runs for two services only; the others get the likely candidates.
  const found = services.filter((service, index) => {
    const options = index % 30 === 0 ? {} : { effortMs: 10 };
    return findSignature(capturesOf(service), [service.wrongSecret], options).kind === 'found';
  });
  expect(found.map(({ name }) => name)).toEqual([]);
});

function capturesOf(service: RandomService): readonly Capture[] {
  return service.name.length % 2 === 0
    ? [service.capture(0), service.capture(1)]
    : [service.capture(0), service.capture(1), service.capture(2)];
}

function verifierOf(scheme: SignatureContract, secret: string): (capture: Capture) => boolean {
  return (capture) => {
    const { headers, body, url, masked = false, receivedAt } = withQueryAsBody(capture);
    const verify = createVerifier(scheme, readableCapture(withQueryAsBody(capture)));
    const now = Date.parse(receivedAt ?? '2026-01-15T12:09:10Z');
    return verify({ headers, body, url, masked }, [secret], now).kind === 'verified';
  };
}
