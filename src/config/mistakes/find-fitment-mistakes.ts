import type { Mode } from '../../tenant.ts'
import type { ConfigMistake } from '../config-error.ts'
import { SystemBlock } from '../schema/system-schema.ts'
import { findShapeMistakes } from './find-shape-mistakes.ts'

const FITMENT_REMEDY = 'Give imported, or a system with its adapter, its address and the settings of its adapter'

/** Checks a fitment source: `imported` or a system, and an inventory beside it. */
export function findFitmentMistakes(
  systems: Record<string, unknown> | null | undefined,
  mode: Mode,
  systemsPath: string,
): ConfigMistake[] {
  const fitment = systems?.fitment
  if (!systems || fitment === undefined) return []
  const path = `${systemsPath}.fitment`
  const mistakes: ConfigMistake[] = []
  if (fitment === null) mistakes.push({ path, mistake: 'is empty', remedy: FITMENT_REMEDY })
  else if (typeof fitment === 'object') mistakes.push(...findShapeMistakes(SystemBlock, fitment, path))
  else if (fitment !== 'imported') mistakes.push({ path, mistake: 'is not a fitment source', remedy: FITMENT_REMEDY })
  const usesEmbeddedInventory = mode === 'sandbox' && !systems.pricing && !systems.accounting
  if (!systems.inventory && !usesEmbeddedInventory) {
    const remedy = `In ${systemsPath}.inventory, configure the system that has the products`
    mistakes.push({ path, mistake: 'needs an inventory', remedy })
  }
  return mistakes
}
