import { hkdfSync, randomBytes } from 'node:crypto'

import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { SecretBox } from '#shared/ports/secret-box.ts'

import { AES_EXTRA_BYTES, AES_KEY_BYTES, decrypt, encrypt } from '../aes-gcm.ts'

/** A data key, encrypted. */
const ENVELOPE_BYTES = AES_EXTRA_BYTES + AES_KEY_BYTES

/**
 * A secret box whose master key is derived from one secret of the deployment. Every text has a data
 * key of its own; the master key encrypts nothing but data keys. `secret` is asked when it is needed.
 */
export function localSecretBox(options: { readonly secret: () => string }): SecretBox {
  const masterKey = () =>
    new Uint8Array(hkdfSync('sha256', options.secret(), '', 'parley secret box', AES_KEY_BYTES))
  return {
    seal: async (text, context) => {
      const dataKey = randomBytes(AES_KEY_BYTES)
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
