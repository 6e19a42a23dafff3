import { CfnOutput } from 'aws-cdk-lib';
import {
  ApiMapping,
  DomainName,
  type HttpApi,
  type HttpStage,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

/** Where the certificates are of the CAs whose clients are let in. */
export interface Truststore {
  /** `s3://<bucket>/<key>` */
  readonly url: string;
  /** Of the object; the newest there is at the deployment, if not given. */
  readonly version: string | undefined;
}

export interface CustomDomain {
  readonly name: string;
  /** Of ACM, in the region of the stack. */
  readonly certificateArn: string;
  /** With it API Gateway asks every client for a certificate. */
  readonly truststore: Truststore | undefined;
}

export interface ApiDomainProps {
  readonly domain: CustomDomain;
  readonly api: HttpApi;
  readonly stage: HttpStage;
}

/** A name of one's own for the HTTP API. Whoever has the name makes the DNS record: outputs tell where it has to point to. */
export class ApiDomain extends Construct {
  /** Where the API answers, without a slash at the end. */
  readonly url: string;

  constructor(scope: Construct, id: string, { domain, api, stage }: ApiDomainProps) {
    super(scope, id);
    const domainName = new DomainName(this, 'Name', {
      domainName: domain.name,
      securityPolicy: SecurityPolicy.TLS_1_2,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      ...(domain.truststore === undefined ? {} : { mtls: this.mutualTls(domain.truststore) }),
    });
    new ApiMapping(this, 'Mapping', { api, stage, domainName });
    this.url = `https://${domain.name}`;
    new CfnOutput(this, 'RegionalDomainName', { value: domainName.regionalDomainName }).overrideLogicalId(
      'RegionalDomainName',
    );
    new CfnOutput(this, 'RegionalHostedZoneId', { value: domainName.regionalHostedZoneId }).overrideLogicalId(
      'RegionalHostedZoneId',
    );
  }

  private mutualTls({ url, version }: Truststore) {
    const [, , bucketName = '', ...key] = url.split('/');
    return {
      bucket: Bucket.fromBucketName(this, 'Truststore', bucketName),
      key: key.join('/'),
      ...(version === undefined ? {} : { version }),
    };
  }
}
