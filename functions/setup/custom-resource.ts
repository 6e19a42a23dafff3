import * as z from 'zod';
import type { Ports } from '../runtime/http.ts';
import { defaultLimits, errorOfStatus, type Result, sendOnce, withRetries } from '../sms-service/request.ts';
import type { SetupOutcome } from './request.ts';

const customResourceRequest = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  PhysicalResourceId: z.string().optional(),
});

/**
 * A request of CloudFormation for a custom resource. `ResponseURL` is pre-signed: whoever has it can answer.
 * (AWS CloudFormation User Guide, "Custom resource request objects".)
 */
export type CustomResourceRequest = z.output<typeof customResourceRequest>;

/** Undefined for an event that is none. */
export function parseCustomResourceRequest(event: unknown): CustomResourceRequest | undefined {
  return customResourceRequest.safeParse(event).data;
}

/** CloudFormation did not take the answer; the message never holds the address. */
export class CustomResourceError extends Error {
  override readonly name = 'CustomResourceError';
}

type Run = (action: 'register' | 'deactivate') => Promise<SetupOutcome>;

/** One webhook an account, so one id: an id that changed would make CloudFormation delete the "old" resource. */
const physicalResourceId = 'sms-webhook';

/** Characters of a reason: an answer may have 4096 bytes. */
const maximumReason = 1_000;

/**
 * Registers on Create and Update, deactivates on Delete, and tells CloudFormation what came of it. A Delete always
 * succeeds: a stack that cannot be deleted because the service is down or the API key is gone helps nobody, and the
 * rollback of a Create that failed for the same reason would fail as well. The log says what was left behind.
 *
 * @throws CustomResourceError if CloudFormation cannot be told
 */
export async function handleCustomResource(
  request: CustomResourceRequest,
  run: Run,
  ports: Ports,
): Promise<void> {
  const result = request.RequestType === 'Delete' ? await remove(run) : await create(run);
  await sendAnswer(request, result, ports);
}

async function create(run: Run): Promise<object> {
  const outcome = await run('register');
  return outcome.ok
    ? { Status: 'SUCCESS', Data: { RegisteredUrl: outcome.report.registeredUrl } }
    : { Status: 'FAILED', Reason: toReason(outcome.error.message) };
}

async function remove(run: Run): Promise<object> {
  await run('deactivate');
  return { Status: 'SUCCESS' };
}

/** Printable ASCII: any other character may take six bytes of the answer. */
function toReason(message: string): string {
  return message.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, maximumReason);
}

async function sendAnswer(request: CustomResourceRequest, result: object, ports: Ports): Promise<void> {
  const { StackId, RequestId, LogicalResourceId, PhysicalResourceId = physicalResourceId } = request;
  const answer = JSON.stringify({ ...result, StackId, RequestId, LogicalResourceId, PhysicalResourceId });
  const operation = 'answer CloudFormation';
  // As bytes: fetch gives a text a content type, which the pre-signed address does not allow for.
  const put = { operation, method: 'PUT', url: request.ResponseURL, headers: {}, body: Buffer.from(answer) };
  const limits = { ...defaultLimits, attempts: 3, attemptTimeoutMs: 2_000, totalMs: 6_000 };
  const sent = await withRetries(
    async (timeoutMs): Promise<Result<void>> => {
      const outcome = await sendOnce(ports, put, timeoutMs);
      if (!outcome.ok) return outcome;
      if (outcome.value.status < 300) return { ok: true, value: undefined };
      return { ok: false, error: errorOfStatus(operation, outcome.value) };
    },
    { operation, repeatable: true, deadline: ports.clock() + limits.totalMs },
    limits,
    ports,
  );
  if (sent.ok) return;
  const status = 'status' in sent.error ? ` (status ${sent.error.status})` : '';
  throw new CustomResourceError(`CloudFormation did not take the answer: ${sent.error.kind}${status}`);
}
