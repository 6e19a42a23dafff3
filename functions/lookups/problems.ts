import type { SmsServiceError } from '../base/sms-service/request.ts';

/** The names of the operations in errors. */
export const operationNames = {
  message: 'look up message',
  send: 'look up send',
  list: 'list messages',
} as const;

/** Names an error of the service for logs and for people, without the words of the service, which may hold a number: `server (status 503)`. */
export function reasonOf(error: SmsServiceError): string {
  switch (error.kind) {
    case 'unexpected-answer':
      return `unexpected answer (status ${error.status}): ${error.expected}`;
    case 'network':
      return `network (${error.code})`;
    case 'timeout':
      return 'timeout';
    case 'not-sent':
      return error.reason;
    default:
      return `${error.kind} (status ${error.status})`;
  }
}

/** Returns whether the service may answer other requests, although it refused this one: not after 401 and 429, nor without an answer, nor with an unusable key. */
export function isAboutOneRequest(error: SmsServiceError): boolean {
  const { kind } = error;
  return isAboutOneMessage(error) || kind === 'refused' || kind === 'server' || kind === 'unexpected-answer';
}

/** Returns whether the service refused a request because of the message that it names. */
export function isAboutOneMessage({ kind }: SmsServiceError): boolean {
  return kind === 'bad-request' || kind === 'not-found' || kind === 'validation';
}
