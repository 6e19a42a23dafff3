/** What is wrong with a file of captured requests; the message says which request and line, and never what it holds. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}
