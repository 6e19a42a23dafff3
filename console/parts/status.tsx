import { useCallback } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { isCanonicalStatus } from '../../client/deciding-report.ts';
import { outcomeOf, rankOf } from '../../contract/schema/sms-event.ts';
import { useWords } from '../viewer/preferences.tsx';
import { Icon, type IconName } from './icons.tsx';

const icons = {
  open: 'open',
  unknown: 'question',
  failure: 'cross',
  success: 'check',
} as const satisfies Record<string, IconName>;

/** The status of a message or of a report. Icon and text carry the meaning; the colour repeats it. */
export function Status({ status }: { readonly status: string }) {
  const statusName = useStatusName();
  const outcome = isCanonicalStatus(status) ? outcomeOf(rankOf(status)) : 'unknown';
  return (
    <span className="status" data-outcome={outcome}>
      <Icon name={icons[outcome]} />
      <span>{statusName(status)}</span>
    </span>
  );
}

/** Returns a function that names a status in the viewer's language; a word of the service as it is. */
export function useStatusName(): (status: string) => string {
  const { statuses } = useWords();
  return useCallback((status) => (isCanonicalStatus(status) ? statuses[status] : status), [statuses]);
}

/** What support can do about a reason of failure; nothing for a reason of a later version. */
export function NextStep({ reason }: { readonly reason: string | undefined }) {
  const { nextStep, nextSteps } = useWords();
  const step = Object.entries(nextSteps).find(([known]) => known === reason)?.[1];
  if (step === undefined) return null;
  return (
    <p className="next-step">
      <strong>{nextStep}:</strong> {step}
    </p>
  );
}

/** A button that shows what support can do about a reason, where the reason has no room for it. */
export function NextStepButton({ reason }: { readonly reason: string }) {
  const { nextStep, nextSteps } = useWords();
  const reasonText = useReasonText();
  if (!Object.hasOwn(nextSteps, reason)) return null;
  const label = `${nextStep}: ${reasonText({ errorReason: reason })}`;
  return (
    <DialogTrigger>
      <Button className="icon-button next-step-button" aria-label={label}>
        <Icon name="help" />
      </Button>
      <Popover className="popover" placement="bottom start">
        <Dialog className="next-step-popover" aria-label={label}>
          <NextStep reason={reason} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

interface ReasonTextProps {
  readonly report: Parameters<ReturnType<typeof useReasonText>>[0];
}

/** Why a message failed. */
export function ReasonText({ report }: ReasonTextProps) {
  return useReasonText()(report);
}

/** Returns a function that explains why a message failed: the reason in the viewer's language, or the error code of the service. */
export function useReasonText(): (
  report: { errorReason?: string; errorCode?: string } | undefined,
) => string {
  const { errorReasons } = useWords();
  return useCallback(
    (report) => {
      const { errorReason, errorCode } = report ?? {};
      if (errorReason === undefined) return errorCode ?? '';
      return Object.entries(errorReasons).find(([reason]) => reason === errorReason)?.[1] ?? errorReason;
    },
    [errorReasons],
  );
}
