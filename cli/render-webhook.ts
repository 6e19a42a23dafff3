import type { WebhookReport, RegistrationState } from '../functions/core/webhook/registration.ts';
import type { View } from './print.ts';
import { sanitize } from './text/sanitize.ts';
import type { Format } from './text/style.ts';
import { renderFields } from './text/table.ts';
import { formatTime } from './text/time.ts';

const states: Readonly<Record<RegistrationState, { readonly format: Format; readonly meaning: string }>> = {
  registered: { format: 'green', meaning: 'the SMS service sends its events here' },
  elsewhere: { format: 'yellow', meaning: "the SMS service sends its events to somebody else's URL" },
  deactivated: { format: 'yellow', meaning: 'the SMS service sends no events' },
  'never-configured': { format: 'yellow', meaning: 'the SMS service was never told where to send events' },
};

/** The state of the webhook for people; a report holds no secret. */
export function renderWebhook(report: WebhookReport, view: View): string {
  const { format, meaning } = states[report.state];
  const { previousValidUntil } = report.secret;
  return renderFields(
    [
      ['Webhook', `${view.style(format, report.state)}: ${meaning}`],
      ['Pipeline', sanitize(report.webhookUrl)],
      ['Service', sanitize(report.registeredUrl) || 'no URL'],
      ['Secret', secretOf(report, view)],
      ...(previousValidUntil === null
        ? []
        : [
            [
              'Previous',
              `also accepted until ${sanitize(formatTime(previousValidUntil, view.zone))}`,
            ] as const,
          ]),
    ],
    view,
  );
}

function secretOf({ secret }: WebhookReport, { style, zone }: View): string {
  if (!secret.stored) return style('yellow', 'none stored: no event can be verified');
  const since = secret.since === null ? '' : ` since ${sanitize(formatTime(secret.since, zone))}`;
  if (secret.matchesService === null) return `stored${since}; the SMS service told none to compare`;
  return secret.matchesService
    ? `stored${since}, the same as at the SMS service`
    : style('red', `stored${since}, not the one at the SMS service: webhook register repairs it`);
}
