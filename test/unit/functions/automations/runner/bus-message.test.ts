import { describe, expect, it } from 'vitest';
import { detailTypes } from '../../../../../events/event-types.ts';
import { BusMessageError, readBusMessage } from '../../../../../functions/automations/runner/bus-message.ts';
import { consent, queued, reply } from './bus-messages.ts';

const { optOut, optIn, replyReceived } = detailTypes;

describe('the body of a queue message', () => {
  it('is read with the detail of its event type', () => {
    expect(readBusMessage(queued(optOut, consent), [optOut, optIn])).toEqual({
      detailType: optOut,
      detail: { pipeline: 'Sms', ...consent },
      publishedAt: '2026-01-15T12:00:01Z',
    });
  });

  it('may have fields of a later version, which are ignored', () => {
    const later = { ...reply, mood: 'good' };
    expect(readBusMessage(queued(replyReceived, later), [replyReceived]).detail).toEqual({
      pipeline: 'Sms',
      ...reply,
    });
  });

  it.each([
    ['no JSON', 'hello there', 'no event of the pipeline: body (invalid_type)'],
    ['no event', '{}', /no event of the pipeline: source .*, detail-type .*, time/],
    ['of another source', queued(optOut, consent).replace('sms.pipeline', 'aws.ec2'), /source/],
    ['of an unknown type', queued('SMS Something', consent), /detail-type/],
    ['of a type that was not expected', queued(replyReceived, reply), /does not accept/],
    ['of another version', queued(optOut, { ...consent, version: 2 }), /detail of "SMS Opt-Out": version/],
    ['incomplete', queued(optOut, { ...consent, phone: undefined }), /phone \(invalid_type\)/],
  ])('is rejected with an error that only names fields: %s', (_, body, message) => {
    const read = () => readBusMessage(body, [optOut]);
    expect(read).toThrow(BusMessageError);
    expect(read).toThrow(message);
    expect(read).not.toThrow(/2025550143|hello/);
  });
});
