import type { PhoneNumber } from '#shared/domain/phone-number.ts'
import type { PhoneNumberReference, PhoneNumberStore } from '#shared/ports/phone-number-store.ts'

import { create, erase, getItem, putItem, transact, updateIf } from './dynamo-table.ts'
import type { DynamoTable } from './dynamo-table.ts'
import { dynamoRecordStore, recordWrite } from './record-store.ts'
import { attributesOf } from './stored-record.ts'
import { ownedKeys, phoneNumberKeys, type ItemKey } from './table.ts'

/** The phone numbers on DynamoDB. A second item under the number itself says whose it is. */
export function dynamoPhoneNumberStore(table: DynamoTable): PhoneNumberStore {
  const records = dynamoRecordStore<PhoneNumber>(table, 'NUM')
  const findReference = async (key: ItemKey): Promise<PhoneNumberReference | null> => {
    const item = await getItem(table, key)
    return item?.['id'] === undefined ? null : (attributesOf(item) as PhoneNumberReference)
  }
  return {
    ...records,
    save: async (change) => {
      if (change.before !== null) return records.save(change)
      const { id, organizationId, phoneNumber } = change.after
      return transact(table, [
        await recordWrite('NUM', change),
        create({ ...phoneNumberKeys.owner(phoneNumber), id, organizationId, phoneNumber }),
      ])
    },
    remove: async (organizationId, id) => {
      const found = await records.find(organizationId, id)
      if (found === null) return false
      await transact(table, [
        erase(ownedKeys.record(organizationId, 'NUM', id)),
        erase(phoneNumberKeys.owner(found.phoneNumber)),
      ])
      return true
    },
    findOwner: (e164) => findReference(phoneNumberKeys.owner(e164)),
    findDefault: (organizationId) => findReference(phoneNumberKeys.default(organizationId)),
    setDefault: ({ id, organizationId, phoneNumber }) =>
      putItem(table, {
        ...phoneNumberKeys.default(organizationId),
        id,
        organizationId,
        phoneNumber,
      }),
    unsetDefault: async ({ id, organizationId }) => {
      await updateIf(table, {
        key: phoneNumberKeys.default(organizationId),
        update: 'REMOVE id',
        condition: 'id = :id',
        values: { ':id': id },
      })
    },
  }
}
