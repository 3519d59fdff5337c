import { setMaxListeners } from 'node:events'
import { type AttackTarget, attacks } from '../load/attacks.ts'
import { runAsChild } from './run-as-child.ts'

export interface AttackOrder {
  attack: string
  target: AttackTarget
  seconds: number
}

/** A hostile client, in a process of its own. It answers when its attack has ended. */
runAsChild(async () => ({
  ready: {},
  async answer({ attack, target, seconds }: AttackOrder) {
    const signal = AbortSignal.timeout(seconds * 1_000)
    setMaxListeners(0, signal)
    await attacks[attack]!(target, signal)
    return {}
  },
}))
