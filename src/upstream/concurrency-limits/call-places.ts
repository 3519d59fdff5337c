/** The places for calls to a system, which other processes may share. */
export interface CallPlaces {
  /** The places that may be free; other processes may take them first. */
  readonly free: number
  /** Takes a place. Resolves when there is one; `undefined`: there was one. */
  take(): Promise<void> | undefined
  /** Returns a place. */
  leave(): void
}
