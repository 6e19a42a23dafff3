import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { Contract, Keywords, Preset, SmsPipeline } from '../../../lib/public/index.ts';
import { quickApp, StubbedPipeline } from '../support/built-app.ts';
import { contract, problemsOf, stackWith, twilioRegistration } from '../support/own-pipeline.ts';

const root = join(import.meta.dirname, '../../..');

describe('contracts and keywords', () => {
  it('of a preset whose service has no API for webhooks register none, which docs/start/own-app.md shows', () => {
    const stack = new Stack(quickApp(), 'Shop');
    const { tickets, pages } = { tickets: new Topic(stack, 'Tickets'), pages: new Topic(stack, 'Pages') };
    const shown = readFileSync(join(root, 'docs/start/own-app.md'), 'utf8').match(
      /new SmsPipeline\(.*?^ *\}\)/ms,
    )?.[0];
    const scope = { SmsPipeline: StubbedPipeline, Contract, Preset, stack, tickets, pages };
    const make = new Function(...Object.keys(scope), `return ${shown?.replace('this', 'stack')}`);
    expect(make(...Object.values(scope))).toBeInstanceOf(SmsPipeline);
    expect(problemsOf({ contract: Contract.preset('twilio') })).toEqual([]);
    expect(problemsOf({ contract: Contract.preset('twilio'), registration: true })).toEqual([
      expect.stringMatching(/^contract: found no "service", expected .*, or registration: false/),
    ]);
  });

  it('with a registration need no service, and register again if its id changes', () => {
    const propertiesWith = (id: string) => {
      const { stack } = stackWith({ contract: twilioRegistration(id) });
      const resources = Template.fromStack(stack).findResources('Custom::SmsWebhookRegistration');
      return Object.values(resources).map(({ Properties }) => Properties);
    };
    const ids = [`MG${'0'.repeat(32)}`, `MG${'1'.repeat(32)}`];
    expect(ids.flatMap(propertiesWith)).toMatchObject(
      ids.map((id) => ({ ServiceBaseUrl: 'https://messaging.twilio.com', RegistrationId: id })),
    );
  });

  it('come from a preset, with changes', () => {
    const { _document: document } = Contract.preset('twilio', {
      service: { baseUrl: 'https://api.example.com', token: contract._document.service.token },
    });
    expect(document.webhook.signature.scheme).toBe('hmac');
    expect(document.service.baseUrl).toBe('https://api.example.com');
  });

  it.each([
    [
      'a preset that does not exist',
      () => Contract.preset('twillio'),
      /Contract\.preset: .*did you mean "twilio"/s,
    ],
    [
      'a file that does not exist',
      () => Contract.fromFile('missing.json'),
      /missing\.json: cannot be read \(ENOENT\); Contract\.fromFile names this file/,
    ],
    [
      'keywords without a word',
      () => Keywords.fromObject({ everywhere: { stop: [], start: [], help: [] } }),
      /everywhere\.stop: expected at least one word/,
    ],
  ])('say what is wrong with %s', (_, make, message) => {
    expect(make).toThrow(message);
  });
});

describe('a contract that cannot be', () => {
  const nothing = undefined as never;

  it.each<[() => unknown, RegExp]>([
    [
      () => Contract.preset(nothing),
      /^Contract\.preset: found nothing, expected the name of a preset\. The presets are: 46elks/,
    ],
    [() => Contract.preset(''), /^Contract\.preset: found an empty text, expected the name of a preset/],
    [
      () => Contract.preset('twilio', 'x' as never),
      /^Contract\.preset: found a text after the name, expected an object with what differs/,
    ],
    [
      () => Contract.preset('static-token'),
      /^Contract\.preset: "static-token" describes a signature alone: expected "events" and "statuses"/,
    ],
    [
      () => Contract.preset('static-token', { webhook: { signature: { header: 'x-our-token' } } }),
      /^Contract\.preset: "static-token" describes a signature alone/,
    ],
    [() => Contract.fromFile(nothing), /^Contract\.fromFile: found nothing, expected the path/],
    [() => Contract.fromObject(nothing), /^Contract\.fromObject: found nothing, expected an object/],
    [() => Contract.fromObject([] as never), /^Contract\.fromObject: found a list, expected an object/],
  ])('is named by its mistake: %#', (make, message) => {
    expect(make).toThrow(message);
  });
});
