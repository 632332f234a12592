import {
  openContacts,
  readContacts,
  type ContactFormat,
  type ContactLine,
} from '#shared/domain/campaign/contact-file.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

/** Read at once; no contact is longer. */
export const WINDOW_BYTES = 1_048_576

export type ContactChunk =
  | {
      readonly kind: 'read'
      readonly lines: readonly ContactLine[]
      /** The byte behind the last of them. */
      readonly offset: number
      /** No contact follows. */
      readonly isEnd: boolean
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** The next contacts of a stored file, at most `limit`. `offset` 0 is the beginning. */
export async function readCampaignContacts(
  ports: Pick<ServicePorts, 'contactUploads'>,
  input: { readonly key: string; readonly offset: number; readonly limit: number },
): Promise<ContactChunk> {
  const head = await readWindow(ports, input.key, 0)
  if (head === null) return { kind: 'missing' }
  const opened = openContacts(head)
  if (opened.kind === 'unreadable') return opened
  const lines: ContactLine[] = []
  let offset = Math.max(input.offset, opened.start)
  for (;;) {
    const window = await readWindow(ports, input.key, offset)
    if (window === null) return { kind: 'missing' }
    const piece = nextPiece(window, opened.format, input.limit - lines.length)
    lines.push(...piece.lines)
    offset += piece.bytesRead
    const isEnd = piece.isLast
    if (isEnd || lines.length >= input.limit) return { kind: 'read', lines, offset, isEnd }
  }
}

interface Piece {
  readonly lines: readonly ContactLine[]
  readonly bytesRead: number
  readonly isLast: boolean
}

function nextPiece(window: Uint8Array, format: ContactFormat, limit: number): Piece {
  const isEnd = window.length < WINDOW_BYTES
  const { lines, bytesRead } = readContacts(window, { format, isEnd, limit })
  if (bytesRead > 0 || isEnd)
    return { lines, bytesRead, isLast: isEnd && bytesRead === window.length }
  const reason = `No contact can be read from here on: this one is longer than ${WINDOW_BYTES} bytes.`
  return { lines: [{ kind: 'unusable', reason }], bytesRead: 0, isLast: true }
}

/** What is read of a file at once; null when there is no such file. */
export function readWindow(
  { contactUploads }: Pick<ServicePorts, 'contactUploads'>,
  key: string,
  offset: number,
): Promise<Uint8Array | null> {
  return contactUploads.read(key, { offset, length: WINDOW_BYTES })
}
