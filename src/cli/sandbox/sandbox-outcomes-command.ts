import { print, printJson } from '../print.ts'
import { printTable } from '../table.ts'

/** Lists the shoppers, SKUs, promotion codes and orders of the sandbox with the outcome that each forces. */
export async function runSandboxOutcomes(options: { json?: boolean }): Promise<void> {
  const { outcomes } = await import('../../../fixtures/sandbox-outcomes.ts')
  if (options.json) return printJson(outcomes)
  const rows = outcomes.map(({ what, shopper, sku, promotion_code, order_id, outcome, how }) => [
    what,
    shopper?.email ?? '',
    [sku, promotion_code, order_id].filter(Boolean).join(' '),
    how ? `${outcome} (${how})` : outcome,
  ])
  printTable(['WHAT', 'SHOPPER', 'WITH', 'OUTCOME'], rows)
  const passwords = new Set(outcomes.flatMap(({ shopper }) => shopper?.password ?? []))
  print(`\nPassword of every shopper: ${[...passwords].join(', ')}`)
}
