import * as z from 'zod'

/** What a voice runtime must know to join a local stack; handed out at `{local_url}/runtime`. */
export const localRuntimeSettings = z.object({
  sqsEndpoint: z.url(),
  queueUrls: z.record(z.string(), z.string()),
  /** Null: records are kept in the memory of the stack's own process. */
  databaseEndpoint: z.url().nullable(),
  carrierUrl: z.url(),
  statusUrl: z.url(),
  internalSecret: z.string(),
  recordingsFolder: z.string(),
  contactsFolder: z.string(),
  voice: z.enum(['speech', 'tones']),
  speed: z.number().positive(),
  ringTimeoutSecs: z.number().positive(),
  trunk: z.object({
    id: z.string(),
    maxConcurrentCalls: z.int().positive(),
    callsPerSecond: z.number().positive(),
  }),
})

export type LocalRuntimeSettings = z.infer<typeof localRuntimeSettings>
