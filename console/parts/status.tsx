import { useCallback } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { isCanonicalStatus } from '../../client/deciding-report.ts';
import { outcomeOf, rankOf } from '../../contract/schema/sms-event.ts';
import { useWords } from '../viewer/preferences.tsx';
import { ForeignText } from './entry-links.tsx';
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

/** What a report says about a failure. */
interface ReportedReason {
  readonly status?: string;
  readonly errorReason?: string;
  readonly errorCode?: string;
  readonly errorText?: string;
}

interface ReasonTextProps {
  readonly report: ReportedReason | undefined;
}

/** Why a message failed, with the code and the text of the service if the contract does not know its code. */
export function ReasonText({ report }: ReasonTextProps) {
  const reason = useReasonText()(report);
  const { errorReason, errorCode, errorText } = report ?? {};
  if (errorReason !== undefined || (errorCode === undefined && errorText === undefined)) return reason;
  if (errorCode === undefined || errorText === undefined) return <ForeignText text={reason} />;
  return (
    <>
      <ForeignText text={reason} />: “<ForeignText text={errorText} />”
    </>
  );
}

/** Returns the reason by which a report is counted; undefined if it reports no failure. */
export function countedReason(report: ReportedReason | undefined): string | undefined {
  return report?.errorReason ?? (isFailure(report) ? 'unknown' : undefined);
}

function isFailure(report: ReportedReason | undefined): boolean {
  const { status } = report ?? {};
  return status !== undefined && isCanonicalStatus(status) && outcomeOf(rankOf(status)) === 'failure';
}

/**
 * Returns a function that explains why a message failed, or why a report has an error: the reason in the viewer's language, or what is known if
 * the contract names none. It is empty for a report without an error.
 */
export function useReasonText(): (report: ReportedReason | undefined) => string {
  const { errorReasons, noReason } = useWords();
  return useCallback(
    (report) => {
      const { errorReason, errorCode, errorText } = report ?? {};
      if (errorReason !== undefined)
        return Object.entries(errorReasons).find(([reason]) => reason === errorReason)?.[1] ?? errorReason;
      if (errorCode !== undefined) return noReason.code(errorCode);
      if (errorText !== undefined) return noReason.text(errorText);
      return isFailure(report) ? noReason.none : '';
    },
    [errorReasons, noReason],
  );
}
