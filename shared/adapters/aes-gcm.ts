import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export const AES_KEY_BYTES = 32
/** What encryption adds to a text. */
export const AES_EXTRA_BYTES = NONCE_BYTES + TAG_BYTES

/** Nonce, tag and cipher text. The context is not in it, but has to be known to decrypt. */
export function encrypt(key: Uint8Array, plain: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context))
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

/** Throws when anything was changed, or key or context are others. */
export function decrypt(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(NONCE_BYTES, AES_EXTRA_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(AES_EXTRA_BYTES)), decipher.final()])
}
