import type { BundledWebhook } from '../../../contract/schema/contract-schema.ts';
import { requestForms } from '../../../contract/schema/request-form.ts';
import {
  headersReadBy,
  type SignatureModule,
  tokenReaderOf,
  verifierOf,
} from '../../../contract/signature/by-method.ts';
import type { ReceiveDependencies } from './receive.ts';

/** The dependencies of {@link receive} that the contract decides. */
type ContractRules = Pick<
  ReceiveDependencies,
  'verify' | 'tokenIn' | 'methods' | 'acknowledge' | 'probe' | 'tokenParameter' | 'reads' | 'contract'
>;

/**
 * Makes what ingest knows of a contract.
 *
 * @param scheme the module `#signature`
 */
export function contractRules(webhook: BundledWebhook, scheme: SignatureModule) {
  const forms = requestForms(webhook);
  const { signature } = webhook;
  const rules: ContractRules = {
    verify: verifierOf(forms, scheme),
    tokenIn: tokenReaderOf(forms, scheme),
    methods: forms.map(({ method }) => method),
    acknowledge: webhook.acknowledge,
    probe: webhook.probe,
    tokenParameter: signature.scheme === 'token' ? signature.query : undefined,
    reads: webhook.reads,
    contract: webhook.hash,
  };
  return { rules, headersRead: headersReadBy(forms, scheme), hasSecret: signature.scheme !== 'none' };
}
