import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { contractFiles } from '../../../contract/document/contract-file-store.ts';
import { type ContractFiles, readExtended } from '../../../contract/document/extend.ts';
import { parseImportMapping } from '../../../contract/document/import-mapping.ts';
import { ContractError, parseContract } from '../../../contract/document/parse.ts';
import { createLookupReader } from '../../../contract/lookups/lookup-answer.ts';
import { ForeignPageError, lookupRequest } from '../../../contract/lookups/lookup-request.ts';
import { shippedContractJson } from '../../../tools/support/contracts.ts';
import { presetContracts } from '../../support/preset-contracts.ts';
import { fuzz } from './fuzz.ts';
import { changedJson, hostileBodies, type JsonChange, jsonChanges } from './hostile-requests.ts';
import { hostileJson, hostileTexts, magicNames } from './hostile-values.ts';
import { assertShowsNoInsides } from './watch.ts';

const presets = contractFiles
  .list(contractFiles.presets)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''));

const readJson = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));

/** Texts of JMESPath, of templates and of formats, good and bad. */
const expressions = fc
  .oneof(
    fc.constantFrom(
      '@',
      'a.b[*].c',
      '[?a==`1`].b',
      'join(`,`, @)',
      'sort_by(@, &a)',
      'to_number(a)',
      'max_by(@, &b)',
      'length(@)',
      'keys(@)',
      '*.*.*',
      '[::0]',
      '[99999999999:]',
      '`{"a"',
      "'",
      'a || ',
      'not_null()',
      'merge(@, @)',
      '{a: @, b: @}',
      '((((((((@))))))))',
      'unknown_function(@)',
      '"\\ud800"',
      '__proto__',
      'constructor.name',
      '{body}',
      '{header:',
      '{header:x}{url}{',
      '{id}.{timestamp}.{body}',
    ),
    hostileTexts,
  )
  .map((text) => JSON.stringify(text));

const documentValues = fc.oneof({ weight: 2, arbitrary: expressions }, hostileJson);

const inMemory = (text: string): ContractFiles => ({
  ...contractFiles,
  read: (path) => (path === '/app/contract.json' ? text : contractFiles.read(path)),
});

/** A schema says so of a value that is missing. */
const withoutSchemaWords = (message: string) => message.replaceAll('received undefined', '');

interface DocumentAttempt {
  readonly document: string;
  readonly changes: readonly JsonChange[];
  readonly isExtending: boolean;
  readonly extended: string;
}

fuzz<DocumentAttempt>(
  'contract-files',
  {
    inputs: fc.record({
      document: fc.constantFrom('contract', ...presets),
      changes: jsonChanges(documentValues),
      isExtending: fc.boolean(),
      extended: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...presets) },
        hostileTexts,
        fc.constantFrom('./contract.json', '/dev/null', '../../..', '.', 'plivo', '\0', ...magicNames),
      ),
    }),
    attempt({ document, changes, isExtending, extended }) {
      const original =
        document === 'contract' ? shippedContractJson : readJson(contractFiles.presets, `${document}.json`);
      const changed = changedJson(original, changes);
      const written = isExtending ? { ...Object(changed), extends: extended } : changed;
      try {
        const text = JSON.stringify(written) ?? 'null';
        const { document: whole, samplesFrom } = readExtended('/app/contract.json', inMemory(text));
        parseContract(whole, samplesFrom);
        return 'valid';
      } catch (error) {
        if (!(error instanceof ContractError)) throw error;
        assertShowsNoInsides('the error', withoutSchemaWords(error.message));
        assert(error.problems.length > 0, 'an error without a problem');
        return 'refused';
      }
    },
  },
  ['valid', 'refused'],
);

const mappings = ['twilio-log', 'vonage-reports'].map((name) =>
  readJson('contract/import-mappings', `${name}.json`),
);

fuzz<{ readonly mapping: number; readonly changes: readonly JsonChange[] }>(
  'import-mappings',
  {
    inputs: fc.record({ mapping: fc.nat(mappings.length - 1), changes: jsonChanges(documentValues) }),
    attempt({ mapping, changes }) {
      const { extends: _, ...own } = Object(mappings[mapping]);
      const statuses = { delivered: { status: 'delivered' }, failed: { status: 'failed' } };
      const changed = changedJson(
        { statuses, ...own, defaultCountry: null, errors: {}, samples: [] },
        changes,
      );
      try {
        parseImportMapping(changed);
        return 'valid';
      } catch (error) {
        if (!(error instanceof ContractError)) throw error;
        assertShowsNoInsides('the error', withoutSchemaWords(error.message));
        return 'refused';
      }
    },
  },
  ['refused'],
);

const lookedUp = presetContracts.flatMap(({ contract }) =>
  contract.lookups === null ? [] : [{ contract, lookups: contract.lookups }],
);

interface AnswerAttempt {
  readonly contract: number;
  readonly sample: number;
  readonly changes: readonly JsonChange[];
  /** Base64, in place of the sample; null: the sample. */
  readonly text: string | null;
  readonly link: string | null;
  readonly page: string | null;
  readonly id: string;
}

fuzz<AnswerAttempt>(
  'lookup-answers',
  {
    inputs: fc.record({
      contract: fc.nat(50),
      sample: fc.nat(10),
      changes: jsonChanges(hostileJson),
      text: fc.option(hostileBodies, { freq: 3 }),
      link: fc.option(
        fc.oneof(
          hostileTexts,
          fc.constantFrom(
            '<',
            '<a>; rel="next"',
            '<//[>; rel=next',
            '<http://attacker.example/>; rel=next',
            '<>;rel=next',
          ),
        ),
      ),
      page: fc.option(fc.oneof(hostileTexts, fc.constantFrom('1', '2', '-1', '1e400'))),
      id: hostileTexts,
    }),
    attempt({ contract: index, sample: at, changes, text, link, page, id }) {
      const one = lookedUp[index % lookedUp.length];
      assert(one !== undefined);
      const { contract, lookups } = one;
      const sample = lookups.samples[at % Math.max(1, lookups.samples.length)];
      const operation = sample?.operation ?? 'message';
      const baseUrl = 'https://api.example/v1';
      const answer = createLookupReader(
        contract,
        lookups,
      )({
        operation,
        text:
          text === null
            ? (JSON.stringify(changedJson(sample?.body ?? {}, changes)) ?? '')
            : Buffer.from(text, 'base64').toString(),
        link,
        page: page ?? undefined,
        url: `${baseUrl}/messages`,
        answeredAt: '2026-01-15T12:00:00.000Z',
      });
      if (answer.kind === 'unreadable') {
        assertShowsNoInsides('the answer', answer.expected);
        return 'unreadable';
      }
      const span = { since: '2026-01-14T00:00:00.000Z', until: '2026-01-15T00:00:00.000Z' };
      try {
        const question = { operation, messageId: id, sendId: id, ...span };
        const { path } = lookupRequest(lookups, question, answer.next, { user: id, baseUrl });
        assert.equal(new URL(baseUrl + path).origin, 'https://api.example', 'another host is asked');
      } catch (error) {
        if (!(error instanceof ForeignPageError)) throw error;
        return 'foreign page';
      }
      return answer.next === undefined ? 'last page' : 'page';
    },
  },
  ['unreadable', 'last page'],
);
