import type { ContactUploads } from '#shared/ports/contact-uploads.ts'

/** Contacts of campaigns in memory; `files` is by key. */
export function memoryContactUploads(files = new Map<string, Uint8Array>()): ContactUploads {
  return {
    offer: async (key) => ({
      url: `https://contacts.example/${key}`,
      headers: { 'if-none-match': '*' },
    }),
    put: async (key, bytes) => {
      files.set(key, bytes)
    },
    read: async (key, { offset, length }) =>
      files.get(key)?.subarray(offset, offset + length) ?? null,
    erase: async (key) => {
      files.delete(key)
    },
  }
}
