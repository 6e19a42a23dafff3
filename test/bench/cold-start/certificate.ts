import { writeFileSync } from 'node:fs';
import { generate } from 'selfsigned';
import type { ServerIdentity } from '../work/serve.ts';

/**
 * Makes a certificate for 127.0.0.1 with an elliptic curve's key, good for a day.
 *
 * @param file receives the certificate, for the `NODE_EXTRA_CA_CERTS` of those who are to trust it
 */
export async function makeCertificate(file: string): Promise<ServerIdentity> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  writeFileSync(file, cert);
  return { key, cert };
}
