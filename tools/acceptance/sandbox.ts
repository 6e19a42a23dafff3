import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { startSmsService } from '../../local/sms-service/sandbox.ts';
import type { RunPlan } from './arguments.ts';

const apiKey = 'sandbox-api-key';
const apiKeySecret = 'sms-sandbox-api-key';

/**
 * Runs the sandbox of the SMS service for as long as it is used, and stores its API key in the emulator.
 *
 * @param use gets the plan with a contract that names the address of the sandbox, and this address
 */
export async function withSandbox<T>(
  {
    plan,
    contract,
    folder,
  }: { readonly plan: RunPlan; readonly contract: Contract; readonly folder: string },
  use: (plan: RunPlan, sandboxUrl: string) => Promise<T>,
): Promise<T> {
  const sandbox = await startSmsService({ port: 0, contract, apiKey });
  try {
    const contractFile = join(folder, 'contract.json');
    const service = { ...contract.service, baseUrl: sandbox.url };
    writeFileSync(contractFile, JSON.stringify({ ...contract, service }));
    await new SecretsManagerClient().send(
      new CreateSecretCommand({ Name: apiKeySecret, SecretString: apiKey }),
    );
    return await use({ ...plan, contractFile, apiKeySecret }, sandbox.url);
  } finally {
    await sandbox.close();
  }
}
