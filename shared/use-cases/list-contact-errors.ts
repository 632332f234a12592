import {
  readContactErrors,
  type ContactError,
  type ContactPosition,
} from '#shared/domain/campaign/contact-errors.ts'
import { lineBreaksIn, openContacts } from '#shared/domain/campaign/contact-file.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { findOwnCampaign } from './find-campaigns.ts'
import { readWindow, WINDOW_BYTES } from './read-campaign-contacts.ts'

/** So much is told and read at once; the rest is left to the next time. */
const ERRORS_MAX = 5_000
const WINDOWS_MAX = 8

export type ContactErrors =
  | {
      readonly kind: 'found'
      readonly errors: readonly ContactError[]
      /** Null: no more follow. */
      readonly next: ContactPosition | null
    }
  | { readonly kind: 'no_campaign' }
  /** The file is kept for a while only; one that came with the request until it is imported. */
  | { readonly kind: 'no_file' }

/**
 * What is wrong with the contacts of a campaign, line by line of their file; `from` null begins at
 * its beginning. The file is read again, so that nothing has to be kept of what few will ask.
 */
export async function listContactErrors(
  ports: Pick<ServicePorts, 'campaigns' | 'contactUploads'>,
  input: {
    readonly organizationId: string
    readonly campaignId: string
    readonly from: ContactPosition | null
  },
): Promise<ContactErrors> {
  const campaign = await findOwnCampaign(ports, input)
  if (campaign === null) return { kind: 'no_campaign' }
  const { key } = campaign.contacts
  const head = await readWindow(ports, key, 0)
  const opened = head === null ? null : openContacts(head)
  if (head === null || opened?.kind !== 'opened') return { kind: 'no_file' }
  const { format, start: offset } = opened
  const lineNumber = 1 + lineBreaksIn(head.subarray(0, offset))
  let at = input.from ?? { offset, lineNumber, rowIndex: 0 }
  const errors: ContactError[] = []
  for (let windows = 0; windows < WINDOWS_MAX && errors.length < ERRORS_MAX; windows += 1) {
    const window = await readWindow(ports, key, at.offset)
    if (window === null) return { kind: 'no_file' }
    const isEnd = window.length < WINDOW_BYTES
    const limit = ERRORS_MAX - errors.length
    const piece = readContactErrors(window, { format, isEnd, at, limit })
    errors.push(...piece.errors)
    const bytesRead = piece.next.offset - at.offset
    // The import ends at a contact that no window holds, too.
    if (bytesRead === 0 && !isEnd) errors.push({ ...at, phoneNumber: null, reason: TOO_LONG })
    if (bytesRead === 0 || (isEnd && bytesRead === window.length)) {
      return { kind: 'found', errors, next: null }
    }
    at = piece.next
  }
  return { kind: 'found', errors, next: at }
}

const TOO_LONG = `No contact can be read from here on: this one is longer than ${WINDOW_BYTES} bytes.`
