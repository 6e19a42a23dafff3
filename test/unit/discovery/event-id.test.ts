import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../discovery/captured/columns.ts';
import { proposeEventId } from '../../../discovery/event-id.ts';

const events = ['a', 'b', 'c'].map((letter) => ({ eventId: `evt-${letter}1234`, data: letter }));
const withoutId = events.map(({ data }) => ({ data }));

/** @param allowed the sources that the signature allows */
function idOf(
  values: readonly object[],
  allowed: readonly string[],
  hasSignedId: boolean,
  hasTimelessReplies = false,
) {
  return proposeEventId({
    columns: columnsOf(values),
    taken: new Set(),
    signed: hasSignedId
      ? values.map((value, index) => ({ id: `s${index}`, body: JSON.stringify(value) }))
      : [],
    contents: values.map((value) => JSON.stringify(value)),
    hasTimelessReplies,
    allows: (from) => allowed.includes(from),
  });
}

describe("an event's identity", () => {
  it.each([
    [
      'is the id that the signature covers',
      events,
      ['body', 'content', 'signed-id'],
      true,
      'signed-id',
      ['eventId'],
    ],
    ['is a field of the body', events, ['body', 'content'], false, 'eventId', ['content']],
    ['is the content', withoutId, ['body', 'content'], false, 'content', []],
    ['is a field where the content has several forms', events, ['body'], false, 'eventId', []],
    ['is asked for where it has, and no field is it', withoutId, ['body'], false, undefined, []],
    ['is the signed id where the body is not signed', events, ['signed-id'], true, 'signed-id', []],
    ['is asked for where nothing is signed that could be it', events, [], false, undefined, []],
  ])('%s', (_, values, allowed, hasSignedId, value, rivals) => {
    expect(idOf(values, allowed, hasSignedId)).toMatchObject({ value, rivals });
  });

  it('is never certain by content, because a service may change an event that it sends again', () => {
    expect(idOf(withoutId, ['body', 'content'], false)).toMatchObject({
      value: 'content',
      isCertain: false,
      note: expect.stringContaining('an event that is sent again with another content counts twice'),
    });
    expect(idOf(withoutId, ['body', 'content'], false, true)).toMatchObject({
      isCertain: false,
      note: expect.stringContaining('an equal reply is a copy only within 4 seconds'),
    });
  });
});
