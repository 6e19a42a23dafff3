import { describe, expect, it } from 'vitest';
import { deliveryTime } from '../../../../functions/history/delivery-time.ts';
import { foldMessages } from '../../../../functions/history/message.ts';
import { report } from '../../../support/suites/reports.ts';

const delivered = report('m', 'e1', 'delivered', 4);

describe('the time to delivery', () => {
  it('is from the earliest report to the first report of success', () => {
    const [sent, read] = [report('m', 'e2', 'sent', 1), report('m', 'e3', 'read', 60)];
    expect(deliveryTime(foldMessages([read, delivered, sent]))).toBe(3000);
    expect(deliveryTime(foldMessages([delivered, report('m', 'e2', 'sent', 4)]))).toBe(0);
  });

  it('is that of imported rows only if the webhook received nothing', () => {
    const imported = [
      report('m', 'i1', 'sent', 2, { origin: 'import' }),
      report('m', 'i2', 'delivered', 3, { origin: 'import' }),
    ] as const;
    expect(deliveryTime(foldMessages([...imported]))).toBe(1000);
    const sent = report('m', 'e2', 'sent', 1);
    expect(deliveryTime(foldMessages([sent, delivered, ...imported]))).toBe(3000);
  });

  it.each([
    ['one report', [delivered]],
    ['no success', [report('m', 'e1', 'sent', 0), report('m', 'e2', 'failed', 5)]],
    ['a delivery before all other reports', [delivered, report('m', 'e2', 'read', 60)]],
    ['two reports of one delivery', [delivered, report('m', 'e2', 'delivered', 9)]],
  ] as const)('is unknown with %s', (_, [first, ...others]) => {
    expect(deliveryTime(foldMessages([first, ...others]))).toBeUndefined();
  });
});
