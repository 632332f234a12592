import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms'

import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Clock } from '#shared/ports/clock.ts'
import type { SecretBox } from '#shared/ports/secret-box.ts'

import { decrypt, encrypt } from '../aes-gcm.ts'
import { awsError } from './aws-error.ts'

/** Bound to every data key; the key's policy and the log of its uses name it. */
export const KMS_CONTEXT = { purpose: 'customer-secrets' }

/** How long a data key is kept in memory: KMS is asked this seldom, and a stolen key is good for less. */
const KEY_AGE_MAX_MS = 300_000
const OPENED_KEYS_MAX = 1_000
const LENGTH_BYTES = 2

interface DataKey {
  readonly plain: Uint8Array
  /** By KMS, which alone can decrypt it. */
  readonly encrypted: Uint8Array
}

/**
 * A secret box whose master key never leaves KMS: texts are encrypted with data keys, which stand
 * beside them as KMS encrypted them. What is sealed within five minutes shares a data key; each text
 * is bound to its own context. A sealed text is the encrypted data key's length (2 bytes), that key
 * and the encrypted text. Throws AdapterError.
 */
export function kmsSecretBox(options: {
  readonly client: KMSClient
  /** ARN of the master key. */
  readonly keyId: string
  readonly clock: Clock
}): SecretBox {
  const { client, keyId: KeyId, clock } = options
  const sealing = keptFor(KEY_AGE_MAX_MS, 1, clock)
  const opening = keptFor(KEY_AGE_MAX_MS, OPENED_KEYS_MAX, clock)

  const newDataKey = async (): Promise<DataKey> => {
    const command = new GenerateDataKeyCommand({
      KeyId,
      KeySpec: 'AES_256',
      EncryptionContext: KMS_CONTEXT,
    })
    const { Plaintext, CiphertextBlob } = await client.send(command).catch(failure)
    if (Plaintext === undefined || CiphertextBlob === undefined) throw new Error('KMS gave no key')
    return { plain: Plaintext, encrypted: CiphertextBlob }
  }
  const knownDataKey = async (encrypted: Uint8Array): Promise<DataKey> => {
    const command = new DecryptCommand({
      KeyId,
      CiphertextBlob: encrypted,
      EncryptionContext: KMS_CONTEXT,
    })
    const { Plaintext } = await client.send(command).catch(failure)
    if (Plaintext === undefined) throw new Error('KMS gave no key')
    return { plain: Plaintext, encrypted }
  }

  return {
    seal: async (text, context) => {
      const { plain, encrypted } = await sealing('', newDataKey)
      const length = Buffer.alloc(LENGTH_BYTES)
      length.writeUInt16BE(encrypted.length)
      return Buffer.concat([length, encrypted, encrypt(plain, Buffer.from(text, 'utf8'), context)])
    },
    open: async (sealed, context) => {
      const { encryptedKey, encryptedText } = partsOf(sealed)
      const name = Buffer.from(encryptedKey).toString('base64')
      const { plain } = await opening(name, () => knownDataKey(encryptedKey))
      try {
        return decrypt(plain, encryptedText, context).toString('utf8')
      } catch (cause) {
        throw unopenable(cause)
      }
    },
  }
}

function partsOf(sealed: Uint8Array) {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const textAt = bytes.length < LENGTH_BYTES ? NaN : LENGTH_BYTES + bytes.readUInt16BE()
  if (!(textAt <= bytes.length)) throw unopenable()
  return {
    encryptedKey: bytes.subarray(LENGTH_BYTES, textAt),
    encryptedText: bytes.subarray(textAt),
  }
}

/** Remembers what was made under a name for a while, and at most so many; what failed is forgotten. */
function keptFor(ageMaxMs: number, count: number, clock: Clock) {
  const kept = new Map<string, { readonly key: Promise<DataKey>; readonly until: number }>()
  return (name: string, make: () => Promise<DataKey>): Promise<DataKey> => {
    const known = kept.get(name)
    if (known !== undefined && clock.now() < known.until) return known.key
    kept.delete(name)
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= count) kept.delete(oldest)
    const key = make()
    kept.set(name, { key, until: clock.now() + ageMaxMs })
    key.catch(() => kept.delete(name))
    return key
  }
}

function unopenable(cause?: unknown): AdapterError {
  return new AdapterError('A sealed text cannot be opened', { retryable: false, cause })
}

function failure(error: unknown): never {
  throw awsError('KMS gave no data key', error)
}
