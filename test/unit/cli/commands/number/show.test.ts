import { describe, expect, it } from 'vitest';
import { contractHash } from '../../../../../contract/events/body.ts';
import { formContract, formContractJson, shippedContract } from '../../../../../tools/support/contracts.ts';
import { commandLine, historyOf, message, reply } from '../../support/harness.ts';
import { temporaryFiles } from '../../support/temporary-directory.ts';

const timeline = historyOf(
  [
    message('msg-1', [
      { status: 'queued', second: 0 },
      { status: 'delivered', second: 2 },
    ]),
    message('msg-2', [
      { status: 'failed', second: 10, errorCode: '7' },
      { status: 'delivered', second: 12 },
    ]),
  ],
  [reply('reply-1', 5, 'Yes,\n\u202eplease', 'msg-1')],
);
const { sms } = commandLine({ connection: timeline });

describe('number show', () => {
  it('writes messages and replies as CSV', async () => {
    const { out } = await sms('number', 'show', '+12025550143', '--csv');
    const [header, first, second] = out.split('\r\n');
    expect(header).toBe(
      'kind,at,messageId,replyId,phone,status,final,statusAt,deliveryMs,errorCode,errorText,conflict,sendId,text,to,receivedAt,errorReason,price,currency,segments,network,carrier,channel,media,partsReceived,partsTotal,timeIs',
    );
    expect(first).toBe(
      'message,2026-01-15T12:00:10.500Z,msg-2,,+12025550143,delivered,true,2026-01-15T12:00:12.000Z,2000,,,true,,,,,,,,,,,,,,,',
    );
    expect(second).toBe(
      'reply,2026-01-15T12:00:05.000Z,msg-1,reply-1,+12025550143,,,,,,,,,"Yes,\nplease",+12025550100,2026-01-15T12:00:05.500Z,,,,,,,,,,,',
    );
  });

  it('masks numbers in the text of a report, unless --reveal', async () => {
    const reports = [
      { status: 'failed', second: 0, errorCode: '30003', errorText: 'Unknown subscriber +12025550143' },
    ];
    const { sms } = commandLine({ connection: historyOf([message('msg-3', reports)]) });
    for (const command of [
      ['number', 'show', '+12025550143'],
      ['message', 'get', 'msg-3'],
      ['message', 'list', '--state', 'failed'],
    ]) {
      const masked = (await sms(...command)).out;
      expect(masked).toContain('error 30003 (not in the contract) Unknown subscriber •••0143');
      expect(masked).not.toContain('5550143');
      expect((await sms(...command, '--reveal')).out).toContain('Unknown subscriber +12025550143');
    }
  });
});

it('numbers in every text of a table are masked, unless --reveal; an id stays, because commands take it', async () => {
  const id = '1000001/12025550143';
  const report = {
    status: 'delivered',
    second: 0,
    word: 'to 12025550144',
    carrier: 'of 12025550145',
    unread: { recipient: '2025550146', price: '12025550147' },
  };
  const { current, ...answer } = reply('reply-1', 5, 'call +12025550148', id);
  const replies = [
    {
      ...answer,
      current: { ...current, unread: { from: '2025550149', media: 'https://x.test/12025550150' } },
    },
  ];
  const { sms } = commandLine({ connection: historyOf([message(id, [report])], replies) });
  for (const [command, ends] of [
    [
      ['message', 'get', id],
      ['0144', '0145', '0146', '0147'],
    ],
    [
      ['number', 'show', '+12025550143'],
      ['0144', '0148', '0149', '0150'],
    ],
    [
      ['reply', 'list'],
      ['0148', '0149', '0150'],
    ],
  ] as const) {
    const masked = (await sms(...command)).out;
    expect(masked).toContain(id);
    expect(masked.replaceAll(id, '')).not.toContain('555');
    const revealed = (await sms(...command, '--reveal')).out;
    for (const end of ends) {
      expect(masked).toContain(`•••${end}`);
      expect(revealed).toContain(`202555${end}`);
    }
  }
});

describe('the number of number show', () => {
  const file = temporaryFiles();
  const american = file('american.json', formContractJson);
  const broken = file('broken.json', { ...formContractJson, statuses: { done: 'fine' } });

  it.each([
    [['+1 202 555 0143']],
    [['+1', '(202)', '555-0143']],
    [['12025550143']],
    [['202-555-0143', '--country', 'us']],
    [['(202) 555-0143', '--contract', american]],
    [['+1 202 555 0143', '--contract', broken]],
  ])('is read as people write it: %j', async (args) => {
    const deployed = args.includes(american) ? formContract : shippedContract;
    const connection = { ...timeline, contractHash: async () => contractHash(deployed) };
    const { code, out } = await commandLine({ connection }).sms('number', 'show', ...args, '--reveal');
    expect(code).toBe(0);
    expect(out).toContain('Messages to +12025550143 ');
  });

  it("is the service's own text with --as-written", async () => {
    const asWritten = message('msg-4', [{ status: 'sent', second: 0, phone: 'SHORT 77' }]);
    const { sms } = commandLine({ connection: historyOf([asWritten]) });
    const { code, out } = await sms('number', 'show', 'SHORT', '77', '--as-written', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out).entries).toMatchObject([{ messageId: 'msg-4' }]);
  });

  it.each([
    ['national', '+14795550183'],
    ['mixed', undefined],
  ] as const)('is read as events.numbers "%s" of the contract says', async (numbers, phone) => {
    const path = file(`${numbers}.json`, {
      ...formContractJson,
      events: { ...formContractJson.events, numbers },
    });
    const deployed = { ...formContract, events: { ...formContract.events, numbers } };
    const connection = {
      ...timeline,
      contractHash: async () => contractHash(deployed),
    };
    const { code, out, err } = await commandLine({ connection }).sms(
      ...['number', 'show', '4795550183', '--contract', path, '--reveal'],
    );
    expect([code, out.includes(`${phone}: `)]).toEqual(phone === undefined ? [2, false] : [0, true]);
    expect(err).toContain(phone === undefined ? 'may be +14795550183 or +4795550183' : '');
  });

  it.each([[[]], [['--json']], [['--csv']]])(
    'is also looked up by its digits, and the command says what they are: %j',
    async (args) => {
      const doubtful = message('msg-5', [{ status: 'sent', second: 0, phone: '2025550151' }]);
      const { sms } = commandLine({ connection: historyOf([doubtful]) });
      const { code, err } = await sms('number', 'show', '+1 202 555 0151', ...args);
      expect([code, err]).toEqual([
        0,
        'Entries are stored as 2025550151, which may be this number: sms number show 2025550151 --as-written\n',
      ]);
      expect(await sms('number', 'show', '2025550151', '--as-written', ...args)).toMatchObject({
        code: 0,
        out: expect.stringContaining('msg-5'),
        err: '',
      });
    },
  );

  it.each([
    [broken, 'The contract is not valid:\n  statuses.done: '],
    [`${broken}.none`, 'is neither a file nor a preset'],
  ])('that needs the contract fails where it is not to be had: %s', async (file, line) => {
    const { code, err } = await sms('number', 'show', '202-555-0143', '--contract', file);
    expect(code).toBe(1);
    expect(err).toContain(line);
  });
});
