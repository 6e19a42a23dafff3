import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { type BodyRules, compileExpression, encodeForm } from '../events/body.ts';
import { createMapper } from '../events/mapping.ts';
import type { RequestValues } from '../events/request-values.ts';
import { createLookupReader } from '../lookups/lookup-answer.ts';
import { type Contract, contractSchema } from '../schema/contract-schema.ts';
import { requestForm, requestForms } from '../schema/request-form.ts';
import { verifierOf } from '../signature/by-method.ts';
import { queryOf } from '../signature/request-reader.ts';
import { createVerifier } from '../signature/verify.ts';
import { hasOddLength, isDeeperThan, maxBodyDepth } from '../text/json.ts';
import { parseTime } from '../text/time.ts';

export type Sample = Contract['samples'][number];

/** The time of receipt of samples that do not have one. */
const defaultReceivedAt = '2026-01-15T12:00:00.000Z';

/** Verifies and maps each sample, those of lookups too. @returns one line for each difference from what the sample expects */
export function checkSamples(contract: Contract): string[] {
  const check = createSampleCheck(contract);
  return [
    ...contract.samples.flatMap((sample, index) =>
      check(sample).map((problem) => `samples.${index} (${sample.name}): ${problem}`),
    ),
    ...checkLookupSamples(contract),
  ];
}

function checkLookupSamples(contract: Contract): string[] {
  const { lookups } = contract;
  if (lookups === null) return [];
  const read = createLookupReader(contract, lookups);
  return lookups.samples.flatMap(({ name, operation, body, becomes, next }, index) => {
    const where = `lookups.samples.${index} (${name})`;
    if (lookups[operation] === null) return [`${where}: the contract has no lookups.${operation}`];
    const answer = read({ operation, text: JSON.stringify(body), answeredAt: defaultReceivedAt });
    if (answer.kind === 'unreadable') return [`${where}: ${answer.expected}`];
    const { unreadable } = answer;
    const found = [
      ...answer.reports.map((event) => ({ kind: 'event', event }) as const),
      ...answer.sendIds.map((sendId) => ({ kind: 'event', event: { sendId } }) as const),
    ];
    const problems = [
      ...unreadable.map((reason) => `a message cannot be read: ${reason}`),
      ...(unreadable.length > 0 ? [] : compare(found, becomes)),
      ...(next === answer.next
        ? []
        : [
            `expected next ${JSON.stringify(next ?? null)}, the mapping gives ${JSON.stringify(answer.next ?? null)}`,
          ]),
    ];
    return problems.map((problem) => `${where}: ${problem}`);
  });
}

/** Makes the check of one sample. It returns one line for each difference from what the sample expects. */
export function createSampleCheck(contract: Contract): (sample: Sample) => string[] {
  const map = createMapper(contract);
  const verify = verifierOf(requestForms(contract.webhook), { createVerifier });
  return (sample) => {
    const { request, becomes } = sample;
    const receivedAt = sampleReceivedAt(sample);
    const form = requestForm(contract.webhook, sample.method);
    const { method } = form;
    const body = bodyOfSample(sample, form);
    const isOtherQuery = method === 'GET' && request && queryOf(request.url) !== Buffer.from(body).toString();
    if (isOtherQuery) return ['the query of its URL is not its body, which is the query of a GET'];
    const verdict = request && verify({ ...request, method, body }, [request.secret], Date.parse(receivedAt));
    const unverified = verdict?.kind === 'rejected' ? [`its signature is rejected: ${verdict.reason}`] : [];
    if (becomes === undefined) return unverified;
    const signedId = verdict?.kind === 'verified' ? verdict.signedId : 'sample';
    return [...unverified, ...compare(map(body, signedId, receivedAt, requestOfSample(sample)), becomes)];
  };
}

/** Returns when a sample was received, ISO 8601 in UTC. Without a request this is a fixed time, or that of its latest event, which cannot be later. */
export function sampleReceivedAt({ request, becomes = [] }: Sample): string {
  if (request !== undefined) return new Date(request.receivedAt).toISOString();
  const times = becomes.flatMap(({ occurredAt }) => parseTime('iso8601', String(occurredAt)) ?? []);
  return [defaultReceivedAt, ...times].sort().at(-1) ?? defaultReceivedAt;
}

/** Writes the body of a sample as the service would send it. @param rules those of the requests with the sample's method */
export function bodyOfSample({ body, bodyText }: Sample, { bodyFormat, charset }: BodyRules): Uint8Array {
  if (bodyText !== undefined) return Buffer.from(bodyText);
  return bodyFormat === 'json' ? Buffer.from(JSON.stringify(body)) : encodeForm(body, charset);
}

/** Returns what decides, beside the body, how the events of a sample are read. */
export function requestOfSample({ method, query, path, request }: Sample): RequestValues {
  return { method, query: query ?? (request && queryOf(request.url)), path };
}

/** An event that was read, or why it could not be read. */
type Outcome =
  | { readonly kind: 'event'; readonly event: object }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly field?: string };

/** Returns a line for each difference between events and what a sample expects. */
export function compare(mapped: readonly Outcome[], becomes: NonNullable<Sample['becomes']>): string[] {
  if (mapped.length !== becomes.length)
    return [`expected ${becomes.length} events, the mapping finds ${mapped.length}`];
  return mapped.flatMap((outcome, position) => {
    const where = `event ${position + 1}`;
    if (outcome.kind === 'unreadable')
      return [`${where} cannot be read: ${outcome.reason}${'field' in outcome ? ` (${outcome.field})` : ''}`];
    const actual = new Map<string, unknown>(Object.entries(outcome.event));
    return Object.entries(becomes[position] ?? {})
      .filter(([field, expected]) => !isDeepStrictEqual(actual.get(field), expected))
      .map(
        ([field, expected]) =>
          `${where}: expected ${field} ${JSON.stringify(expected)}, the mapping gives ${JSON.stringify(actual.get(field) ?? null)}`,
      );
  });
}

/** Thrown for an invalid contract or mapping. The message names each wrong path and what was expected there. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  /** One line for each problem: `path: what was expected`. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], document = 'contract') {
    super(`The ${document} is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Explains what to do about failing samples that are in another file. */
export function inheritedSamplesHint(from: string): string {
  return `samples: these are inherited from ${from} and show how that contract works. If your service differs, add samples of your own to your contract: they replace all inherited ones`;
}

/**
 * Validates a contract: its shape, then its expressions, then its samples.
 *
 * @param json the parsed content of `contract.json`
 * @param samplesFrom the preset or file that its samples are inherited from, if they are
 * @throws ContractError naming every problem of the first of these steps that fails
 */
export function parseContract(json: unknown, samplesFrom?: string): Contract {
  const contract = parseRules(json);
  const samples = checkSamples(contract);
  if (samples.length > 0)
    throw new ContractError([
      ...samples,
      ...(samplesFrom === undefined ? [] : [inheritedSamplesHint(samplesFrom)]),
    ]);
  return contract;
}

/** Refuses a document that nests so deep that reading it would exhaust the stack, or that the schema cannot check. @throws ContractError */
export function requireShallow(json: unknown, document?: string): void {
  if (isDeeperThan(maxBodyDepth, json))
    throw new ContractError(
      [`(the whole file): nests deeper than ${maxBodyDepth} levels; are brackets copied by mistake?`],
      document,
    );
  if (hasOddLength(json))
    throw new ContractError(
      ['(the whole file): has a key "length" whose value is an object; expected a text or a number there'],
      document,
    );
}

/** Validates a contract as {@link parseContract} does, without its samples. @throws ContractError as parseContract */
export function parseRules(json: unknown): Contract {
  requireShallow(json);
  const parsed = contractSchema.safeParse(json);
  if (!parsed.success) throw new ContractError(parsed.error.issues.flatMap((issue) => describeIssue(issue)));
  const problems = expressionProblems(parsed.data);
  if (problems.length > 0) throw new ContractError(problems);
  return parsed.data;
}

/** Returns a line for each problem that an issue of the schema names. */
export function describeIssue(issue: z.core.$ZodIssue, document = 'contract'): string[] {
  const path = issue.path.map(String).join('.') || '(the whole file)';
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(
      (key) => `${[...issue.path, key].map(String).join('.')}: not a key of the ${document}; remove it`,
    );
  return [`${path}: ${issue.message.replace(/^Invalid input: /, '')}`];
}

function expressionProblems(contract: Contract): string[] {
  const { status, reply, list, kind, id } = contract.events;
  const { accessToken, expiresIn } = contract.service.token.exchange;
  const expressions: Record<string, string | null> = {
    'service.token.exchange.accessToken': accessToken,
    'service.token.exchange.expiresIn': expiresIn,
    'events.list': list,
    'events.kind': kind,
    'events.id.path': id.from === 'body' ? id.path : null,
    ...prefixed('events.status', status),
    ...prefixed('events.reply', reply),
    ...lookupExpressions(contract.lookups),
  };
  return syntaxProblems(expressions);
}

/** Returns a line for each text that is not JMESPath. @param expressions by their paths */
export function syntaxProblems(expressions: Readonly<Record<string, string | null>>): string[] {
  return Object.entries(expressions).flatMap(([path, text]) => {
    if (text === null) return [];
    const problem = syntaxProblem(text);
    return problem === undefined ? [] : [`${path}: expected a JMESPath expression: ${problem}`];
  });
}

function lookupExpressions(lookups: Contract['lookups']): Record<string, string | null> {
  if (lookups === null) return {};
  const operations = (['message', 'send', 'list'] as const).flatMap((name) => {
    const rules = lookups[name];
    if (rules === null) return [];
    const paging = 'paging' in rules ? rules.paging : null;
    const ofPaging = Object.entries(paging ?? {}).flatMap(([key, text]) =>
      ['next', 'last', 'items'].includes(key) && typeof text === 'string'
        ? [[`paging.${key}`, text] as const]
        : [],
    );
    const texts = { events: rules.events, ...('sendId' in rules && { sendId: rules.sendId }) };
    return Object.entries(prefixed(`lookups.${name}`, { ...texts, ...Object.fromEntries(ofPaging) }));
  });
  return { ...Object.fromEntries(operations), ...prefixed('lookups.report', lookups.report) };
}

export function prefixed(
  prefix: string,
  fields: Readonly<Record<string, string | null>>,
): Record<string, string | null> {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [`${prefix}.${name}`, text]));
}

function syntaxProblem(text: string): string | undefined {
  try {
    compileExpression(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
