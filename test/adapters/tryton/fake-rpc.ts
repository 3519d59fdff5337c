import type { Capabilities } from '../../../adapters/tryton/client/capabilities.ts'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'

/** A Tryton that has every module and right. */
export const capabilities = { has: async () => true, require: async () => {} } as Capabilities

/** Responds by method; any other method gets an empty list. */
export function answering(answers: Record<string, unknown>) {
  const asked: [method: string, params: unknown[]][] = []
  const rpc = (async (answer: { parse(value: unknown): unknown }, method: string, params: unknown[]) => {
    asked.push([method, params])
    return answer.parse(answers[method] ?? [])
  }) as Rpc
  return { rpc, asked }
}

/** Responds by method, and throws what is an error. */
export const answeringRpc =
  (answers: Record<string, unknown>): Rpc =>
  async (shape, method) => {
    const answer = answers[method]
    if (answer instanceof Error) throw answer
    return shape.parse(answer)
  }
