import * as z from 'zod';
import { deadlineAt } from '../../base/basics.ts';
import type { Ports } from '../../base/http-client.ts';
import {
  defaultLimits,
  err,
  errorOfStatus,
  ok,
  type Result,
  sendOnce,
  withRetries,
} from '../../base/sms-service/request.ts';
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
 * A request of CloudFormation for a custom resource. `ResponseURL` is pre-signed and must stay secret.
 * (AWS CloudFormation User Guide, "Custom resource request objects".)
 */
export type CustomResourceRequest = z.output<typeof customResourceRequest>;

/** Returns undefined for any other event. */
export function parseCustomResourceRequest(event: unknown): CustomResourceRequest | undefined {
  return customResourceRequest.safeParse(event).data;
}

/** CloudFormation did not accept the answer; the message never holds its URL. */
export class CustomResourceError extends Error {
  override readonly name = 'CustomResourceError';
}

type Run = (action: 'register' | 'deactivate') => Promise<SetupOutcome>;

/**
 * The id never changes: CloudFormation deletes the resource with the old id after an update, and a Delete deactivates the webhook. So if
 * `registration.id` of the contract changes, the old messaging service or profile keeps the address until an operator deactivates it.
 */
const physicalResourceId = 'sms-webhook';

/** An answer may have 4096 bytes. */
const maxReasonCharacters = 1_000;

/**
 * Registers on Create and Update, deactivates on Delete, and sends CloudFormation the outcome. A Delete always succeeds: otherwise a
 * stack could not be deleted while the service is down or after the API key is gone, and the rollback of a failed Create would fail for
 * the same reason. The log shows a deactivation that failed. The answer to a failed registration is SUCCESS too, so that it does not roll back the
 * pipeline in the same stack: the schedule, which exists from then on, tries again every five minutes, and an alarm reports it. Only after `webhook
 * deactivate` it does not, if the new desired state could not be stored: `RegisteredUrl` then says so. The same is
 * true of a secret that an operator has to store: it cannot be stored before the first deployment.
 *
 * @throws CustomResourceError if CloudFormation does not accept the answer
 */
export async function handleCustomResource(
  request: CustomResourceRequest,
  run: Run,
  ports: Ports,
): Promise<void> {
  const isDelete = request.RequestType === 'Delete';
  const outcome = await run(isDelete ? 'deactivate' : 'register');
  const answer = isDelete ? { Status: 'SUCCESS' } : answerOf(outcome);
  await sendAnswer(request, answer, ports);
}

function answerOf(outcome: SetupOutcome): object {
  const RegisteredUrl =
    outcome.kind === 'ok'
      ? outcome.value.registeredUrl
      : `not registered yet: ${toReason(outcome.error.publicMessage ?? outcome.error.message)}`;
  return { Status: 'SUCCESS', Data: { RegisteredUrl } };
}

/** Keeps printable ASCII only: any other character may need six bytes of the answer. */
function toReason(message: string): string {
  return message.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, maxReasonCharacters);
}

async function sendAnswer(request: CustomResourceRequest, result: object, ports: Ports): Promise<void> {
  const { StackId, RequestId, LogicalResourceId, PhysicalResourceId = physicalResourceId } = request;
  const answer = JSON.stringify({ ...result, StackId, RequestId, LogicalResourceId, PhysicalResourceId });
  const operation = 'answer CloudFormation';
  // The body is sent as bytes: fetch adds a content type to a text, and the pre-signed URL does not allow one.
  const put = { operation, method: 'PUT', url: request.ResponseURL, headers: {}, body: Buffer.from(answer) };
  const limits = { ...defaultLimits, attempts: 3, attemptTimeoutMs: 2_000, totalMs: 6_000 };
  const sent = await withRetries(
    async (timeoutMs): Promise<Result<void>> => {
      const outcome = await sendOnce(ports, put, timeoutMs);
      if (outcome.kind === 'error') return outcome;
      return outcome.value.status < 300 ? ok(undefined) : err(errorOfStatus(operation, outcome.value));
    },
    { operation, repeatable: true, deadline: deadlineAt(ports.clock() + limits.totalMs, ports.clock) },
    limits,
    ports,
  );
  if (sent.kind === 'ok') return;
  const status = 'status' in sent.error ? ` (status ${sent.error.status})` : '';
  throw new CustomResourceError(`CloudFormation did not accept the answer: ${sent.error.kind}${status}`);
}
