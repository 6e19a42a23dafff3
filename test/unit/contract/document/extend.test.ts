import { describe, expect, it } from 'vitest';
import { type ContractFiles, extendContract, readExtended } from '../../../../contract/document/extend.ts';
import { ContractError, parseContract } from '../../../../contract/document/parse.ts';
import { formContractJson } from '../../../../tools/support/contracts.ts';

/** Files that are held in memory, by path. */
function filesOf(texts: Readonly<Record<string, string>>): ContractFiles {
  return {
    presets: '/project/contracts',
    read: (path) => {
      const text = texts[path];
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return text;
    },
    list: (folder) =>
      Object.keys(texts).flatMap((path) =>
        path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
      ),
  };
}

const own = '/project/contract.json';

function extended(json: unknown, others: Readonly<Record<string, unknown>> = {}): unknown {
  const all = Object.entries({ [own]: json, ...others });
  return readExtended(own, filesOf(Object.fromEntries(all.map(([path, one]) => [path, JSON.stringify(one)]))))
    .document;
}

function problemOf(json: unknown, others: Readonly<Record<string, unknown>> = {}): string {
  try {
    extended(json, others);
  } catch (error) {
    if (error instanceof ContractError) return error.problems.join('\n');
    throw error;
  }
  return '';
}

describe('extendContract', () => {
  it('replaces values by lists, scalars and null', () => {
    const base = { samples: [1, 2], events: { defaultCountry: 'US', status: { sendId: 'x' } } };
    const json = { samples: [3], events: { defaultCountry: null, status: { sendId: 'y' } } };
    expect(extendContract(base, json)).toEqual(json);
    expect(extendContract({ a: null }, { a: { b: 1 } })).toEqual({ a: { b: 1 } });
  });

  it('replaces a signature or an id of another form as a whole', () => {
    const base = {
      webhook: {
        signature: { scheme: 'hmac', header: 'x-signature', algorithm: 'sha1' },
        bodyFormat: 'json',
      },
      events: { id: { from: 'body', path: 'id' } },
    };
    const token = { scheme: 'token', header: 'authorization' };
    expect(
      extendContract(base, { webhook: { signature: token }, events: { id: { from: 'content' } } }),
    ).toEqual({
      webhook: { signature: token, bodyFormat: 'json' },
      events: { id: { from: 'content' } },
    });
    const sha256 = { webhook: { signature: { scheme: 'hmac', algorithm: 'sha256' } } };
    expect(extendContract(base, sha256)).toMatchObject({
      webhook: { signature: { header: 'x-signature', algorithm: 'sha256' } },
    });
  });

  it('does not inherit what describes the base', () => {
    const base = { $schema: '../s.json', about: { service: 'Base' }, statuses: {} };
    expect(extendContract(base, { extends: 'base' })).toEqual({ statuses: {} });
    expect(extendContract(base, { $schema: './s.json', about: { service: 'Own' } })).toEqual({
      $schema: './s.json',
      about: { service: 'Own' },
      statuses: {},
    });
  });

  describe('with another signature', () => {
    const request = { headers: {}, secret: 's', receivedAt: '2026-01-15T12:00:00Z' };
    const reply = { kind: 'sms.reply', eventId: 'e', occurredAt: '2026-01-15T12:00:00.000Z' };
    const report = { ...reply, kind: 'sms.status' };
    const base = {
      webhook: { signature: { scheme: 'hmac', header: 'x-signature' } },
      events: {
        id: { from: 'signed-id' },
        status: { occurredAt: 'time' },
        reply: { occurredAt: null },
      },
      samples: [
        { name: 'a signature alone', body: 1, request },
        { name: 'both', body: 2, request, becomes: [report, reply] },
        { name: 'events alone', body: 3, becomes: [reply] },
      ],
    };
    const samplesOf = (own: unknown) =>
      new Map(Object.entries(Object(extendContract(base, own)))).get('samples');

    it.each([
      ['another header', { header: 'x-other' }],
      ['another scheme', { scheme: 'token', header: 'x-token' }],
    ])('inherits samples without what only the signed request supplied: %s', (_, signature) => {
      expect(samplesOf({ webhook: { signature } })).toEqual([
        {
          name: 'both',
          body: 2,
          becomes: [{ kind: 'sms.status', occurredAt: report.occurredAt }, { kind: 'sms.reply' }],
        },
        base.samples[2],
      ]);
    });

    it('keeps the expected values that come from the body', () => {
      const events = { id: { from: 'body', path: 'id' }, reply: { occurredAt: 'time' } };
      expect(samplesOf({ webhook: { signature: { header: 'x-other' } }, events })).toEqual([
        { name: 'both', body: 2, becomes: [report, reply] },
        base.samples[2],
      ]);
    });

    it('inherits complete samples with the same signature, and none if the contract has its own', () => {
      expect(samplesOf({ webhook: { signature: { header: 'x-signature' }, bodyFormat: 'json' } })).toEqual(
        base.samples,
      );
      const own = [{ name: 'own', body: 1, request }];
      expect(samplesOf({ webhook: { signature: { header: 'x-other' } }, samples: own })).toEqual(own);
    });
  });

  it('cannot reach the prototype of objects', () => {
    const json: unknown = JSON.parse('{"__proto__": {"statuses": {}}}');
    expect(Object.getPrototypeOf(extendContract({ a: {} }, json))).toBe(Object.prototype);
  });
});

describe('readExtended', () => {
  const { service, ...preset } = formContractJson;
  const presets = { '/project/contracts/form.json': preset };

  it('makes a complete contract of a preset and the service', () => {
    const whole = extended({ extends: 'form', service, statuses: { gone: 'expired' } }, presets);
    expect(whole).not.toHaveProperty('extends');
    const contract = parseContract(whole);
    expect(contract.statuses).toEqual({ ...preset.statuses, gone: 'expired' });
    expect(contract.webhook.signature).toMatchObject({ header: 'X-Hub-Signature-256' });
  });

  it('follows paths relative to their file, through several files', () => {
    const others = {
      '/project/tenants/one.json': { extends: '../base.json', statuses: { one: 'sent' } },
      '/project/base.json': { extends: 'form', statuses: { base: 'sent' } },
      ...presets,
    };
    const whole = extended({ extends: './tenants/one.json', service, statuses: { own: 'read' } }, others);
    expect(parseContract(whole).statuses).toMatchObject({
      ...preset.statuses,
      base: 'sent',
      one: 'sent',
      own: 'read',
    });
    expect(extended({ extends: '/project/base.json' }, others)).toMatchObject({ statuses: { base: 'sent' } });
  });

  it('rejects an unknown preset, and lists the presets', () => {
    const others = {
      '/project/contracts/twilio.json': { statuses: {} },
      '/project/contracts/like-twilio.json': { extends: 'twilio' },
      '/project/contracts/README.md': {},
    };
    expect(problemOf({ extends: 'Twillio' }, others)).toBe(
      'extends: no preset is called "Twillio"; did you mean "twilio"? The presets are: like-twilio, twilio.',
    );
    expect(problemOf({ extends: 'basic' }, { ...others, '/project/contracts/a-token.json': {} })).toMatch(
      /The presets are: like-twilio, twilio; or, for a signature alone, whose events you describe yourself: a-token\.$/,
    );
    expect(problemOf({ extends: 'contract/presets/twilio.json' }, others)).toMatch(
      /^extends: no preset is called/,
    );
    expect(problemOf({ extends: 'vonage' }, others)).toBe(
      'extends: the preset "vonage" is now vonage-messages or vonage-sms, one for each product.',
    );
    expect(problemOf({ extends: 7 }, others)).toMatch(/^extends: expected the name of a preset, or a path/);
  });

  it('rejects a contract that extends itself', () => {
    const others = { '/project/a.json': { extends: './contract.json' } };
    expect(problemOf({ extends: './a.json' }, others)).toBe(
      `extends: a contract cannot extend itself: ${own} -> /project/a.json -> ${own}`,
    );
    expect(problemOf({ extends: './contract.json' })).toContain(`${own} -> ${own}`);
  });

  it('says where it expected a file, and what is wrong with one', () => {
    expect(problemOf({ extends: './gone.json' })).toBe(
      'extends: ./gone.json cannot be read (ENOENT); it was expected at /project/gone.json',
    );
    expect(problemOf({ extends: './list.json' }, { '/project/list.json': [] })).toContain(
      'expected an object',
    );
    const files = filesOf({
      [own]: '{"extends": "./text.json"}',
      '/project/text.json': 'secret-of-the-reader',
    });
    expect(() => readExtended(own, files)).toThrow(
      /extends: \.\/text\.json is not JSON: Unexpected token 's'/,
    );
    // The file may be one of the reader's, with a secret in it.
    expect(() => readExtended(own, files)).not.toThrow(/secr/);
  });

  it('refuses a document that nests too deep to be read', () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const files = { [own]: '{"extends":"./base.json"}', '/project/base.json': deep };
    const path = (text: Record<string, string>) => () => readExtended(own, filesOf(text));
    expect(path({ [own]: deep })).toThrow('(the whole file): nests deeper than 64 levels');
    expect(path(files)).toThrow('(the whole file): nests deeper than 64 levels');
    expect(() => parseContract(JSON.parse(deep))).toThrow(ContractError);
  });

  it('passes on errors of reading the contract itself', () => {
    expect(() => readExtended(own, filesOf({}))).toThrow('no such file');
    expect(() => readExtended(own, filesOf({ [own]: '{' }))).toThrow(SyntaxError);
  });
});

it('readExtended names the origin of inherited samples', () => {
  const texts = {
    '/project/contracts/form.json': '{"samples": []}',
    '/project/own.json': '{"extends": "form", "samples": []}',
    '/project/near.json': '{"extends": "form"}',
    '/project/far.json': '{"extends": "./near.json"}',
    '/project/whole.json': '{}',
  };
  const from = (name: string) => readExtended(`/project/${name}.json`, filesOf(texts)).samplesFrom;
  expect(['near', 'far', 'own', 'whole'].map(from)).toEqual(['form', 'form', undefined, undefined]);
});

it('an answer replaces that of the base as a whole, because a status without content has no body', () => {
  const base = {
    webhook: {
      acknowledge: { status: 200, contentType: 'text/xml', body: '<Response/>' },
      bodyFormat: 'form',
    },
  };
  expect(extendContract(base, { webhook: { acknowledge: { status: 204 } } })).toEqual({
    webhook: { acknowledge: { status: 204 }, bodyFormat: 'form' },
  });
});
