/**
 * API keys (decisions 1): `vak_live_` or `vak_test_`, 30 random base62 characters, and 6 more that are
 * their CRC32, so that a mistyped or made-up key is recognised without asking a database.
 */

import type { ApiKey } from './organization.ts'

export type ApiKeyMode = 'live' | 'test'

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECK_LENGTH = 6
const SHAPE = /^vak_(live|test)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** Writes a key; `entropy` is 30 base62 characters, drawn by the caller. */
export function formatApiKey(parts: {
  readonly mode: ApiKeyMode
  readonly entropy: string
}): string {
  const key = `vak_${parts.mode}_${parts.entropy}${checkCharacters(parts.entropy)}`
  if (checkApiKey(key) === null) throw new Error('The entropy of a key is 30 base62 characters')
  return key
}

/** Whether a text can be one of our keys at all, and of which mode; null when it cannot. */
export function checkApiKey(text: string): { readonly mode: ApiKeyMode } | null {
  const [, mode, entropy, check] = SHAPE.exec(text) ?? []
  if (entropy === undefined || check !== checkCharacters(entropy)) return null
  return { mode: mode === 'live' ? 'live' : 'test' }
}

const HINT_LENGTH = 4

/** What is stored of a key; `key` itself is forgotten. */
export function newApiKey(
  input: Pick<ApiKey, 'id' | 'organizationId' | 'userId' | 'name' | 'scopes' | 'expiresAt'> & {
    readonly key: string
    /** Its SHA-256 in hex. */
    readonly hash: string
  },
  now: number,
): ApiKey {
  const { key, ...rest } = input
  const checked = checkApiKey(key)
  if (checked === null) throw new Error('A key was not written by formatApiKey')
  return {
    ...rest,
    hint: key.slice(-HINT_LENGTH),
    mode: checked.mode,
    createdAt: now,
    revokedAt: null,
    lastUsedAt: null,
  }
}

function checkCharacters(entropy: string): string {
  let rest = crc32(entropy)
  let characters = ''
  while (rest > 0) {
    characters = BASE62.charAt(rest % BASE62.length) + characters
    rest = Math.floor(rest / BASE62.length)
  }
  return characters.padStart(CHECK_LENGTH, '0')
}

/** CRC-32 (IEEE 802.3, as zlib computes it) of ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
