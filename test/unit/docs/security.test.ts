import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/concepts/security.md'), 'utf8');
const [, model = ''] = /## Threat model\n([\s\S]*?)\n## /.exec(page) ?? [];
const [listed = ''] = model.split('What remains:');
const defences = new Map(
  [...listed.matchAll(/^- (.+?): (.+)$/gm)].map(([, threat = '', defence = '']) => [threat, defence]),
);

/** The tests that show the defence against each threat of the page. */
const shownBy: Readonly<Record<string, readonly string[]>> = {
  'forged events': [
    'unit/contract/signature/verify.test.ts',
    'unit/contract/signature/signature-confusion.test.ts',
  ],
  'a genuine request sent again': [
    'unit/contract/signature/verify.test.ts',
    'unit/functions/history/message.test.ts',
  ],
  'a parked or captured request': [
    'unit/functions/worker/admit.test.ts',
    'unit/functions/webhook/envelope.test.ts',
  ],
  'other senders': ['unit/functions/ingest/source-addresses.test.ts', 'infra/api/custom-domain.test.ts'],
  'the webhook changed at the service': ['unit/functions/setup/scenarios/reconcile-drift.test.ts'],
  'a leaked secret': ['unit/functions/setup/rotate.test.ts', 'local/rotation.test.ts'],
  'another account on the bus': ['infra/stacks/events-stack.test.ts'],
  'forged forwarded events': ['unit/functions/automations/forward/standard-webhook.test.ts'],
  'a stranger reads history': ['infra/query/query-function.test.ts'],
  'another page or user uses `sms console`': [
    'unit/cli/commands/console/admission.test.ts',
    'unit/cli/commands/console/console-server.io.test.ts',
  ],
  'a stranger or a forged token at a deployed console': [
    'infra/parts/console.test.ts',
    'console/deployed.test.ts',
    'unit/local/services/api-gateway/jwt-authorization.test.ts',
  ],
  'a colleague reads more than needed': ['console/deployed.test.ts'],
  'a script in the page': ['infra/parts/console.test.ts'],
  'personal data in insights': ['unit/functions/counters/contributions.test.ts'],
  'personal data or secrets in logs, metrics and traces': [
    'unit/functions/ingest/log-injection.io.test.ts',
    'infra/stacks/pipeline-stack.test.ts',
    'unit/functions/publisher/item-kinds.test.ts',
    'unit/functions/runtime/handler-settings.test.ts',
    'infra/building-blocks/tracing.test.ts',
  ],
  'data read at rest or in transit': [
    'infra/operate/encryption.test.ts',
    'infra/stacks/pipeline-stack.test.ts',
  ],
  'credentials in a capture': [
    'unit/functions/capture/mask-credentials.test.ts',
    'unit/functions/capture/capture.test.ts',
  ],
  'tokens and keys in URLs': ['local/webhook-by-get.test.ts', 'infra/app/read-settings.test.ts'],
  'a flood': [
    'infra/app/settings-effect.test.ts',
    'infra/query/query-function.test.ts',
    'unit/functions/ingest/flood.test.ts',
  ],
  'a forgotten capture': ['unit/functions/capture/capture.test.ts'],
  'hostile bodies': [
    'unit/functions/worker/hostile-bodies.test.ts',
    'unit/functions/patterns.test.ts',
    'unit/contract/signature/signed-text.test.ts',
  ],
  'hostile texts in a terminal or spreadsheet': ['unit/cli/text/hostile-output.test.ts'],
  'deletion by mistake': ['infra/stacks/storage-stack.test.ts'],
  'a function or `sms api` that exceeds its task': [
    'infra/app/app.test.ts',
    'infra/building-blocks/permissions.test.ts',
    'infra/building-blocks/unused-grants.test.ts',
    'local/pipeline/permissions.ts',
    'unit/functions/setup/service-call.test.ts',
  ],
  'a replaced dependency': ['unit/tools/check/lockfile-problems.test.ts'],
};

describe('the threat model', () => {
  it('has a defence against each threat, and tests that show it', () => {
    expect([...defences.keys()]).toEqual(Object.keys(shownBy));
    for (const defence of defences.values()) expect(defence).toMatch(/\w{4}/);
  });

  it.each(Object.entries(shownBy))('%s: its tests exist', (_, files) => {
    expect(files.filter((file) => !existsSync(join(root, 'test', file)))).toEqual([]);
  });
});

// Behaviour cannot show it, and the rules' own tests are run on sources that Stryker has changed.
it('signatures are compared in constant time, in one place, after their lengths', () => {
  const folder = join(root, 'contract/signature');
  const comparing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8').match(/.*timingSafeEqual\(.*/g) ?? []);
  expect(comparing.flat()).toEqual(['  return a.length === b.length && timingSafeEqual(a, b);']);
});
