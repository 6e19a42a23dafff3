import type { Problem } from './types.ts';

/** An error response of the query API: problem details (RFC 9457), as an error whose message explains them. */
export class QueryError extends Error implements Problem {
  override readonly name = 'QueryError';
  /** `urn:sms-event-pipeline:problem:...`, or `about:blank` for a response of API Gateway itself. */
  readonly type: string;
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  readonly detail: string;
  /** Every parameter that is wrong, and what was expected. */
  readonly errors: NonNullable<Problem['errors']>;

  constructor({ type, title, status, detail, errors = [] }: Problem) {
    super(`${title}: ${detail}${errors.map((wrong) => `; ${wrong.parameter}: ${wrong.detail}`).join('')}`);
    this.type = type;
    this.title = title;
    this.status = status;
    this.detail = detail;
    this.errors = errors;
  }
}
