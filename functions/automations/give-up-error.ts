/** A failure after which a message goes to the dead letter queue at once: each further try would end the same. */
export class GiveUpError extends Error {
  override readonly name: string = 'GiveUpError';
}
