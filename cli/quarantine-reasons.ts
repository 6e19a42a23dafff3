import type { QuarantineReason } from '../functions/core/quarantine.ts';

/** What each reason means, for people. */
export const reasonMeanings: Readonly<Record<QuarantineReason, string>> = {
  'empty-body': 'the request had no body',
  'not-utf8': 'the body is no text in UTF-8',
  'not-json': 'the body is no JSON',
  'too-deep': 'the body nests deeper than any event does',
  'no-events': 'the contract finds no event in the body',
  'too-many-events': 'the contract finds more events in the body than could be reports',
  'events-dropped': 'the contract finds fewer events in the body than there are',
  'unknown-kind': 'neither a delivery report nor a reply, by the contract',
  'missing-field': 'a field is missing that the contract needs',
  'bad-field': 'a field is not of the type it has to be',
  'field-too-long': 'a field is longer than any real one',
  'bad-time': 'the time cannot be read as the contract says',
  'expression-failed': 'an expression of the contract failed on the event',
  'not-an-envelope': 'the queue held something that ingest did not write',
  'signature-mismatch': 'the signature fits no secret that the SMS service has had since',
  captured: 'it would have been refused, and was captured; quarantine replay has it verified',
  'message-full': 'the message has as many reports as one takes',
  'storage-refused': 'the database refused to store it',
};
