import { describe, expectTypeOf, it } from 'vitest';
import type { DeliveryStatusFilter, EventFilter, ReplyFilter } from '../../../lib/public/index.ts';

/** Checked by the compiler (`npm run check`): what `toExtend` denies here cannot be written in an app. */
describe('a filter that could never match does not compile', () => {
  it('of status changes', () => {
    expectTypeOf<{ status: ['failed', 'undelivered'] }>().toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ status: ['delivred'] }>().not.toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ status: 'held' }>().not.toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ status: { word: 'held' } }>().toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ status: { anythingBut: ['delivred'] } }>().not.toExtend<DeliveryStatusFilter>();
  });

  it('of an operator that makes no sense for the type of the field', () => {
    expectTypeOf<{ errorCode: { numeric: ['>', 3] } }>().not.toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ errorCode: { prefix: 'E-' } }>().toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ version: { numeric: ['>=', 1] } }>().toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ version: { prefix: '1' } }>().not.toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ final: true }>().toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ final: { anythingBut: [true] } }>().not.toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ status: { prefix: 'fail' } }>().not.toExtend<DeliveryStatusFilter>();
  });

  it('of the existence of a field that every event of the type has or lacks', () => {
    expectTypeOf<{ errorCode: { exists: false } }>().toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ messageId: { exists: false } }>().not.toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ status: { exists: true } }>().not.toExtend<DeliveryStatusFilter>();
  });

  it('of an empty list, or of two operators at once', () => {
    expectTypeOf<{ status: [] }>().not.toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ errorCode: { anythingBut: [] } }>().not.toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ errorCode: { prefix: 'a'; suffix: 'b' } }>().not.toExtend<DeliveryStatusFilter>();
    expectTypeOf<{ detailType: [] }>().not.toExtend<EventFilter>();
  });

  it('of replies', () => {
    expectTypeOf<{ keyword: 'stop'; textMatches: { prefix: 'st' } }>().toExtend<ReplyFilter>();
    expectTypeOf<{ keyword: 'halt' }>().not.toExtend<ReplyFilter>();
    expectTypeOf<{ textMatches: 'stop' }>().not.toExtend<ReplyFilter>();
    expectTypeOf<{ textMatches: { numeric: ['=', 1] } }>().not.toExtend<ReplyFilter>();
  });

  it('of a field of another detail type', () => {
    type Of<T, D> = { detailType: T; detail: D };
    expectTypeOf<'status'>().not.toExtend<keyof ReplyFilter>();
    expectTypeOf<Of<'SMS Opt-Out', { phone: '+12025550110' }>>().toExtend<EventFilter>();
    expectTypeOf<Of<'SMS Delivery Conflict', { failureStatus: 'faild' }>>().not.toExtend<EventFilter>();
    expectTypeOf<Of<'SMS Opt-Out', { status: 'failed' }>>().not.toExtend<EventFilter>();
    expectTypeOf<Of<'SMS Optout', { phone: '+12025550110' }>>().not.toExtend<EventFilter>();
    expectTypeOf<Of<['SMS Opt-Out', 'SMS Opt-In'], { phone: '1' }>>().not.toExtend<EventFilter>();
    expectTypeOf<Of<'SMS Webhook Drifted', { kind: 'url-changed' }>>().toExtend<EventFilter>();
  });
});
