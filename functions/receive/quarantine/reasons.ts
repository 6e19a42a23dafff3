import type { QuarantineReason } from './quarantine.ts';
import type { NotReplayable } from './replayable-request.ts';

/** Explains each reason for which the pipeline keeps an entry in quarantine. */
export const reasonMeanings: Readonly<Record<QuarantineReason, string>> = {
  'empty-body': 'the request had no body',
  'not-utf8': 'the body is not text in UTF-8, or in the charset that the contract names',
  'not-json': 'the body is not JSON',
  'too-deep': 'the body nests deeper than any event does',
  'no-events': 'the contract finds no event in the body',
  'too-many-events': 'the contract finds more events in the body than could be reports',
  'events-dropped': 'the contract finds fewer events in the body than there are',
  'unknown-kind': 'by the contract it is neither a delivery report nor a reply',
  'missing-field': 'a field that the contract requires is missing',
  'bad-field': 'a field has the wrong type',
  'bad-encoding': 'a field is not encoded as the contract says',
  'field-too-long': 'a field is longer than any real one',
  'bad-time': 'the time cannot be read in the format that the contract names',
  'expression-failed': 'an expression of the contract failed on the event',
  'not-an-envelope': 'the queue held a message that ingest did not write',
  'signature-mismatch': 'the signature fits no secret that the SMS service has had since',
  captured: 'the request was captured instead of rejected; quarantine replay verifies it',
  'message-full': 'the message already has the maximum number of reports',
  'storage-refused': 'the database rejected the write',
};

/** Explains why a replay leaves an entry in quarantine that the contract could read. */
export const whyItStays: Readonly<Record<Exclude<NotReplayable, 'unreadable'>, string>> = {
  'other-source': 'it is of another source: name that with --source, and its contract with --contract',
  unverifiable: 'what the signature was made over was not kept, so it cannot be verified',
  unwrappable: "one event of a body, which the contract's events.list finds in no body of its own",
  unidentifiable:
    'its events may be stored already, under ids that the contract no longer gives: they would be stored twice',
};
