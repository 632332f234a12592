import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { SecretBox } from '#shared/ports/secret-box.ts'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** A data key, encrypted. */
const ENVELOPE_BYTES = NONCE_BYTES + TAG_BYTES + KEY_BYTES

/**
 * A secret box whose master key is derived from one secret of the deployment. Every text has a data
 * key of its own; the master key encrypts nothing but data keys. `secret` is asked when it is needed.
 */
export function localSecretBox(options: { readonly secret: () => string }): SecretBox {
  const masterKey = () =>
    new Uint8Array(hkdfSync('sha256', options.secret(), '', 'parley secret box', KEY_BYTES))
  return {
    seal: async (text, context) => {
      const dataKey = randomBytes(KEY_BYTES)
      return Buffer.concat([
        encrypt(masterKey(), dataKey, context),
        encrypt(dataKey, Buffer.from(text, 'utf8'), context),
      ])
    },
    open: async (sealed, context) => {
      try {
        const dataKey = decrypt(masterKey(), sealed.subarray(0, ENVELOPE_BYTES), context)
        return decrypt(dataKey, sealed.subarray(ENVELOPE_BYTES), context).toString('utf8')
      } catch (cause) {
        throw new AdapterError('A sealed text cannot be opened', { retryable: false, cause })
      }
    },
  }
}

function encrypt(key: Uint8Array, plain: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context))
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

function decrypt(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  const encryptedAt = NONCE_BYTES + TAG_BYTES
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(NONCE_BYTES, encryptedAt))
  return Buffer.concat([decipher.update(sealed.subarray(encryptedAt)), decipher.final()])
}
