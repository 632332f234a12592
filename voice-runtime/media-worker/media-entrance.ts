import type { CallReference, MediaArrival } from './call-media.ts'
import type { LatenessSummary } from './lateness.ts'

/** Where the media of the process's calls arrives. */
export interface MediaEntrance {
  readonly port: number
  /** Of the frames of the last second or so. */
  lateness(): LatenessSummary
  /** Resolves when media can no longer arrive, because of a fault; every call has been stopped then. */
  readonly lost: Promise<void>
  /** Refuses new sockets and closes the open ones. */
  close(): Promise<void>
}

export interface EntranceConfig {
  readonly host: string
  /** 0 chooses a free one. */
  readonly port: number
  readonly maxSockets: number
  /** Which call a token stands for; null when it is forged or expired. */
  readonly verify: (token: string) => CallReference | null
  readonly onArrival: (arrival: MediaArrival) => void
}

export type OpenEntrance = (config: EntranceConfig) => Promise<MediaEntrance>
