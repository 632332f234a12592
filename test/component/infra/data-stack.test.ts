import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, test } from 'vitest'

import { TABLE } from '#shared/data/table.ts'

import { ROOT, synthesize } from './synthesize.ts'

const { stacks, templates, resourcesOf } = synthesize('prod')

describe('the data stack', () => {
  test('lets the repositories send every command that they know', () => {
    const folder = path.join(ROOT, 'shared/data')
    const sources = globSync('*.ts', { cwd: folder }).filter((file) => file !== 'create-table.ts')
    const commands = sources.flatMap((file) =>
      [...readFileSync(path.join(folder, file), 'utf8').matchAll(/new (\w+)Command\(/g)].map(
        ([, command = '']) => command,
      ),
    )
    const [policy] = resourcesOf('app', 'AWS::IAM::Policy').filter(({ id }) =>
      id.startsWith('users'),
    )
    const allowed: string[] = policy!.Properties.PolicyDocument.Statement.flatMap(
      ({ Action }: { readonly Action: string | string[] }) => Action,
    )
    const actions = allowed.flatMap(
      (action) => /^dynamodb:(\w+)Item$|^dynamodb:(Query)$/.exec(action)?.slice(1, 3) ?? [],
    )
    // A transaction takes the rights of its parts.
    const expected = new Set(commands.filter((command) => command !== 'TransactWrite'))
    expect(actions.filter((action) => action !== undefined).toSorted()).toEqual(
      [...expected].toSorted(),
    )
  })

  test('keeps the ids by which CloudFormation knows what must not be replaced', () => {
    const ids = Object.entries(templates.data.Resources).map(([id, { Type }]) => `${Type} ${id}`)
    expect(ids).toEqual([
      'AWS::KMS::Key Key961B73FD',
      'AWS::DynamoDB::GlobalTable RecordsTableC9B7A30B',
      'AWS::S3::Bucket RecordingsBucketB0C8199F',
      'AWS::S3::BucketPolicy RecordingsBucketPolicy6A6702F9',
      'AWS::IAM::ManagedPolicy RecordingsMayRead4078C379',
      'AWS::IAM::ManagedPolicy RecordingsMayStoreBA59459E',
      'AWS::S3::Bucket ContactsBucketCCA430C2',
      'AWS::S3::BucketPolicy ContactsBucketPolicyD604A309',
      'AWS::IAM::ManagedPolicy ContactsMayUse8FBBFF0B',
      'AWS::KMS::Key SecretsKey317DCF94',
    ])
  })

  test('cannot be deleted, and neither can what it holds', () => {
    expect(stacks.data.terminationProtection).toBe(true)
    for (const type of ['AWS::KMS::Key', 'AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket']) {
      const policies = resourcesOf('data', type).map(({ DeletionPolicy }) => DeletionPolicy)
      expect([...new Set(policies)]).toEqual(['Retain'])
    }
  })

  test('has the table of the definition: keys, indexes and time to live', () => {
    const [table] = resourcesOf('data', 'AWS::DynamoDB::GlobalTable')
    const { KeySchema, GlobalSecondaryIndexes, TimeToLiveSpecification } = table!.Properties
    expect(KeySchema).toEqual(keySchema(TABLE))
    expect(GlobalSecondaryIndexes).toEqual(
      TABLE.indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...index.projected] },
      })),
    )
    expect(TimeToLiveSpecification).toEqual({ AttributeName: 'ttl', Enabled: true })
  })

  test('protects the table: backups for every second, no deletion, a key of our own', () => {
    const [table] = resourcesOf('data', 'AWS::DynamoDB::GlobalTable')
    expect(table!.Properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' })
    const [replica] = table!.Properties.Replicas
    expect(replica).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { KMSMasterKeyId: { 'Fn::GetAtt': ['Key961B73FD', 'Arn'] } },
    })
  })

  test('keeps recordings private, encrypted, and for as long as the stage says', () => {
    const [bucket] = resourcesOf('data', 'AWS::S3::Bucket')
    const [rule] = bucket!.Properties.LifecycleConfiguration.Rules
    expect(rule).toEqual({ ExpirationInDays: 90, Status: 'Enabled' })
    expect(bucket!.Properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    })
    const [encryption] = bucket!.Properties.BucketEncryption.ServerSideEncryptionConfiguration
    expect(encryption.ServerSideEncryptionByDefault.SSEAlgorithm).toBe('aws:kms')
  })
})

function keySchema(keys: { readonly partitionKey: string; readonly sortKey: string }) {
  return [
    { AttributeName: keys.partitionKey, KeyType: 'HASH' },
    { AttributeName: keys.sortKey, KeyType: 'RANGE' },
  ]
}
