import { Stack, type StackProps } from 'aws-cdk-lib'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'

import type { StageConfig } from '../config.ts'
import { ContactsBucket } from '../constructs/contacts-bucket.ts'
import { encryptionKey } from '../constructs/encryption-key.ts'
import { RecordingsBucket } from '../constructs/recordings-bucket.ts'
import { RecordsTable } from '../constructs/records-table.ts'

export interface DataStackProps extends StackProps {
  readonly config: StageConfig
}

/**
 * What must outlive everything else. The ids of its constructs are frozen: another id makes
 * CloudFormation replace the resource.
 */
export class DataStack extends Stack {
  readonly table: RecordsTable
  readonly recordings: RecordingsBucket
  readonly contacts: ContactsBucket
  /** What customers' own secrets are sealed with, before they reach the table. */
  readonly secretsKey: IKey

  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, { ...props, terminationProtection: true })
    const key = encryptionKey(this, 'Key', 'records and recordings')
    this.table = new RecordsTable(this, 'Records', key)
    this.recordings = new RecordingsBucket(this, 'Recordings', {
      encryptionKey: key,
      keepDays: props.config.recordingDays,
    })
    this.contacts = new ContactsBucket(this, 'Contacts', { encryptionKey: key })
    this.secretsKey = encryptionKey(this, 'SecretsKey', 'secrets of customers')
  }
}
