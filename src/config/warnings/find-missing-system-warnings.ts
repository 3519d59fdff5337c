import type { ConfigMistake } from '../config-error.ts'
import type { MerchantConfig } from '../merchant-config.ts'
import type { SystemsConfig } from '../system-config.ts'

const consequences = {
  inventory: 'there are no products',
  pricing: 'products have no prices, and nobody can check out',
  accounting: 'shoppers cannot register, sign in or check out',
} as const

export function findMissingSystemWarnings({ merchant, live, sandbox }: MerchantConfig): ConfigMistake[] {
  const find = (systems: SystemsConfig | null, path: string): ConfigMistake[] => {
    // A block without any system is meant to be empty.
    if (!systems || Object.keys(systems).length === 0) return []
    const missing = (['inventory', 'pricing', 'accounting'] as const).filter((system) => !systems[system])
    return missing.map((system) => ({
      path,
      mistake: `has no ${system}: ${consequences[system]}`,
      remedy: `Add ${path}.${system}, unless that is what you want`,
    }))
  }
  return [...find(live, `merchants.${merchant}.live`), ...find(sandbox, `merchants.${merchant}.sandbox`)]
}
