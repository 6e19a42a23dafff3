/**
 * The samples that a contract inherits whose signature is another than the base's: the requests of that signature cannot hold,
 * and neither can the samples that show nothing else. What was known by such a request alone is not expected any more.
 *
 * @param samples as the base's file holds them
 * @param events where things are in a body, of the contract that inherits
 */
export function samplesWithoutRequests(samples: readonly unknown[], events: unknown): unknown[] {
  return samples.flatMap((sample) => {
    if (!isObject(sample) || sample.request === undefined) return [sample];
    const { request: _, becomes, ...rest } = sample;
    if (!Array.isArray(becomes)) return [];
    return [{ ...rest, becomes: becomes.map((event: unknown) => withoutRequestFacts(event, events)) }];
  });
}

/** An event without what its body does not tell: the time it was received, and the id that was signed. */
function withoutRequestFacts(event: unknown, events: unknown): unknown {
  if (!isObject(event) || !isObject(events)) return event;
  const fields = event.kind === 'sms.reply' ? events.reply : events.status;
  const hasNoTime = isObject(fields) && fields.occurredAt === null;
  const hasSignedId = isObject(events.id) && events.id.from === 'signed-id';
  return Object.fromEntries(
    Object.entries(event).filter(
      ([field]) => !((hasNoTime && field === 'occurredAt') || (hasSignedId && field === 'eventId')),
    ),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
