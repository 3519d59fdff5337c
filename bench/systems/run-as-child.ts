/** The child's side of a spawned system: it receives one input, reports when it is ready, and exits with its parent. */
export interface ChildSide {
  /** Sent to the parent: addresses and keys. */
  ready: object
  /** Replies to a message of the parent. */
  answer?(message: never): unknown
}

export function runAsChild<Input>(start: (input: Input) => Promise<ChildSide>): void {
  process.on('disconnect', () => process.exit(0))
  process.once('message', async (input: Input) => {
    const { ready, answer } = await start(input)
    process.on('message', async (message) => process.send?.({ answer: (await answer?.(message as never)) ?? null }))
    process.send?.(ready)
  })
}
