/** The memory that all request bodies of a process may take while they arrive. */
const MAX_BYTES = 32 * 1_024 * 1_024
/** The memory of a request besides its body: connection, request and context. */
const BYTES_PER_REQUEST = 16_384

interface Reservation {
  bytes: number
  giveUp: () => void
}

export interface BodyBudget {
  /**
   * Reserves the memory of a body until the returned function is called. When too little is left, `giveUp` of the bodies that have been
   * arriving for the longest time is called. A client normally sends its body within milliseconds; a slow one must not keep others out.
   */
  reserve(bodyBytes: number, giveUp: () => void): () => void
}

export function createBodyBudget(maxBytes = MAX_BYTES): BodyBudget {
  /** From the oldest to the newest. */
  const reservations = new Set<Reservation>()
  let used = 0
  const release = (reservation: Reservation) => {
    if (reservations.delete(reservation)) used -= reservation.bytes
  }
  return {
    reserve(bodyBytes, giveUp) {
      const reservation = { bytes: bodyBytes + BYTES_PER_REQUEST, giveUp }
      for (const oldest of reservations) {
        if (used + reservation.bytes <= maxBytes) break
        release(oldest)
        oldest.giveUp()
      }
      reservations.add(reservation)
      used += reservation.bytes
      return () => release(reservation)
    },
  }
}
