import { describe, expect, it } from 'vitest';
import { createExplain } from '../../../../contract/checks/explain.ts';
import { formContract, shippedContract } from '../../../../tools/support/contracts.ts';

const receivedAt = '2026-01-15T12:00:08.000Z';
const explain = (json: unknown) =>
  createExplain(shippedContract)(Buffer.from(JSON.stringify(json)), 'evt-1', receivedAt);
const data = { id: 'm-1', to: '+12025550143', status: 'sent', occurred_at: '2026-01-15T12:00:05Z' };

describe('createExplain', () => {
  it('shows the result of each expression on each event', () => {
    const [only, ...others] = explain({ type: 'sms.status', data });
    expect(others).toEqual([]);
    expect(only?.event).toMatchObject({ kind: 'sms.status', eventId: 'evt-1', messageId: 'm-1' });
    expect(only?.fields).toEqual([
      { field: 'kind', expression: 'type', value: 'sms.status' },
      { field: 'messageId', expression: 'data.id', value: 'm-1' },
      { field: 'sendId', expression: 'data.send_id', near: [] },
      { field: 'recipient', expression: 'data.to', value: '+12025550143' },
      { field: 'status', expression: 'data.status', value: 'sent' },
      { field: 'occurredAt', expression: 'data.occurred_at', value: '2026-01-15T12:00:05Z' },
      { field: 'errorCode', expression: 'data.error_code', near: [] },
      { field: 'errorText', expression: 'data.error_message', near: [] },
      { field: 'price', expression: 'data.price', near: [] },
      { field: 'currency', expression: 'data.currency', near: [] },
      { field: 'segments', expression: 'data.segments', near: [] },
      { field: 'network', expression: 'data.network', near: [] },
    ]);
  });

  it('suggests paths for a field without a value', () => {
    const { status, ...rest } = data;
    const [only] = explain({ type: 'sms.status', data: { ...rest, state: status, errorCode: 7 } });
    expect(only).toMatchObject({ reason: 'missing-field', field: 'status' });
    expect(only).not.toHaveProperty('event');
    const near = Object.fromEntries(only?.fields.map((field) => [field.field, field.near]) ?? []);
    expect(near).toMatchObject({ status: ['data.state'], errorCode: ['data.errorCode'], sendId: [] });
  });

  it('lists the first paths for a required field without similar ones', () => {
    const [only] = explain({ event: 'sms.status' });
    expect(only).toMatchObject({ reason: 'unknown-kind', field: 'kind' });
    expect(only?.fields).toEqual([{ field: 'kind', expression: 'type', near: ['event'] }]);
  });

  it('explains where the list of events is missing', () => {
    const contract = { ...shippedContract, events: { ...shippedContract.events, list: 'results[]' } };
    const body = Buffer.from(JSON.stringify({ result: { items: [{ id: 1 }] } }));
    expect(createExplain(contract)(body, undefined, receivedAt)).toEqual([
      {
        reason: 'no-events',
        fields: [{ field: 'list', expression: 'results[]', near: ['result.items[0].id'] }],
      },
    ]);
  });

  it('accepts the empty text of a reply, and treats blank text elsewhere as missing', () => {
    const reply = { from: '+12025550143', to: ' ', text: '', occurred_at: '2026-01-15T12:00:05Z' };
    const [only] = explain({ type: 'sms.reply', data: reply });
    expect(only?.event).toMatchObject({ kind: 'sms.reply', text: '' });
    expect(only?.fields).toContainEqual({ field: 'text', expression: 'data.text', value: '' });
    expect(only?.fields.find(({ field }) => field === 'to')).not.toHaveProperty('value');
  });

  it('explains no fields of a body that cannot be read', () => {
    expect(createExplain(shippedContract)(Buffer.from('{'), undefined, receivedAt)).toEqual([
      { reason: 'not-json', fields: [] },
    ]);
  });

  it('shows the id if it is in the body, and accepts expressions that fail', () => {
    const body = Buffer.from('EventSid=EV1&MessageSid=SM1&MessageStatus=done&Time=1768478405');
    const [only] = createExplain(formContract)(body, undefined, receivedAt);
    expect(only?.fields).toContainEqual({ field: 'eventId', expression: 'EventSid', value: 'EV1' });
    const status = { ...formContract.events.status, messageId: 'length(MessageId)' };
    const failing = { ...formContract, events: { ...formContract.events, status } };
    expect(createExplain(failing)(body, undefined, receivedAt)[0]).toMatchObject({
      reason: 'expression-failed',
    });
  });
});
