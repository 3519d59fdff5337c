export interface Rounds {
  /** All that is to be written, now. */
  all(): Promise<void>
  /** Writes a last time, and no more. */
  end(): Promise<void>
}

export interface RoundsParts {
  /** Twice a second. */
  often: readonly (() => Promise<void>)[]
  /** Every five seconds. */
  seldom: readonly (() => Promise<void>)[]
  now: () => number
  onError(error: unknown): void
  timed: boolean
}

const EVERY_MS = 500
const ROUNDS_APART = 10
/** A store that stays away is told of once, and then so often. */
const TOLD_EVERY_MS = 60_000

/** Writes in the background, one round after the other. A part that fails is tried again with the next round, and keeps none of the others. */
export function createRounds({ often, seldom, now, onError, timed }: RoundsParts): Rounds {
  let running: Promise<void> | undefined
  let begun = 0
  let toldAt: number | null = null
  const timer = timed ? setInterval(tick, EVERY_MS).unref() : undefined

  function tick(): void {
    if (running) return
    begun += 1
    void run(begun % ROUNDS_APART === 0 ? [...often, ...seldom] : often)
  }

  function run(parts: readonly (() => Promise<void>)[]): Promise<void> {
    running = write(parts).finally(() => {
      running = undefined
    })
    return running
  }

  async function write(parts: readonly (() => Promise<void>)[]): Promise<void> {
    let failed = false
    for (const part of parts) {
      try {
        await part()
      } catch (error) {
        failed = true
        tell(error)
      }
    }
    if (!failed) toldAt = null
  }

  function tell(error: unknown): void {
    if (toldAt !== null && now() - toldAt < TOLD_EVERY_MS) return
    toldAt = now()
    onError(error)
  }

  async function all(): Promise<void> {
    while (running) await running
    await run([...often, ...seldom])
  }

  return {
    all,
    async end() {
      clearInterval(timer)
      await all()
    },
  }
}
