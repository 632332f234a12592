/** Where fresh identifiers and chance come from; seeded in the simulation. */
export interface Ids {
  /** `next('call')` is `call_` and a ULID. */
  next(prefix: IdPrefix): string
  /** Uniform in [0, 1). */
  random(): number
}

/** decisions 1: prefix + `_` + ULID. `out` names outbox entries, `ses` media sessions. */
export type IdPrefix =
  | 'asst'
  | 'camp'
  | 'row'
  | 'call'
  | 'att'
  | 'num'
  | 'user'
  | 'org'
  | 'key'
  | 'conn'
  | 'whep'
  | 'evt'
  | 'out'
  | 'ses'
  | 'faq'
  | 'upl'
  | 'sp'
