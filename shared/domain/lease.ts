/**
 * How long each holder of an attempt is believed to be alive. A lease that ran out is noticed by a
 * sweep within `SWEEP_INTERVAL_MS`, so a dead holder's permits are back within 60 s.
 */
export const SWEEP_INTERVAL_MS = 20_000

/** Admitted, and nobody has claimed it yet: its message is sent again when this runs out. */
export const UNCLAIMED_LEASE_MS = 30_000

/** An attempt that nobody claimed for this long is given up. */
export const UNCLAIMED_CAP_MS = 600_000

/** Claimed, and the carrier has not confirmed the dial yet. */
export const DIAL_LEASE_MS = 30_000

/**
 * Whoever claimed dials within this time or not at all. The rest of the lease is for the request to
 * the carrier and for clocks that differ: once the lease runs out nothing of this attempt may ring.
 */
export const DIAL_WITHIN_MS = 15_000

/** Added to the ring time-out while the phone rings. */
export const RINGING_MARGIN_MS = 20_000

/** Renewed by the media session every `HEARTBEAT_MS`. */
export const SESSION_LEASE_MS = 30_000
export const HEARTBEAT_MS = 10_000

/** The carrier says that the call is over: how long its session may take to report it. */
export const REPORT_GRACE_MS = 15_000

/** Permits of an attempt that nobody has claimed yet; longer than its lease, so a claim finds them. */
export const PERMIT_UNCLAIMED_MS = 55_000

/**
 * Permits of a claimed attempt outlast the longest call. They are given back when it ends or its
 * lease runs out; this is the last resort.
 */
export const PERMIT_CLAIMED_MS = 16_200_000
