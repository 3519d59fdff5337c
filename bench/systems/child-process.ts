/** The side of a process under test that talks to the bench: it gets one input, tells when it is ready, and ends with its parent. */
export interface ChildSide {
  /** What the parent needs to know: addresses, keys. */
  ready: object
  /** Answers a later message of the parent. */
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
