import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { listen, loopbackUrl, sendJson } from '../../../local/aws-protocol/http.ts';
import { consoleClientId, consoleIssuerOffset } from '../../../local/services/console-hosting/resources.ts';

/** The issuer of the tokens that the console's API accepts on this machine, in place of a user pool. */
export interface ConsoleIssuer {
  /** Returns an ID token as Cognito makes them, with the user's groups. */
  token(user: string, groups: readonly string[]): Promise<string>;
  close(): void;
}

/** @param port of the pipeline */
export async function startConsoleIssuer(port: number): Promise<ConsoleIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const url = loopbackUrl(port + consoleIssuerOffset);
  const keys = { keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig' }] };
  const server = await listen(port + consoleIssuerOffset, (request, response) =>
    sendJson(response, 200, request.url === '/keys' ? keys : { issuer: url, jwks_uri: `${url}/keys` }),
  );
  return {
    token: (user, groups) =>
      new SignJWT({
        aud: consoleClientId,
        email: `${user}@shop.test`,
        token_use: 'id',
        'cognito:groups': groups,
      })
        .setProtectedHeader({ alg: 'RS256' })
        .setIssuer(url)
        .setSubject(user)
        .setIssuedAt()
        .setExpirationTime('15m')
        .sign(privateKey),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
