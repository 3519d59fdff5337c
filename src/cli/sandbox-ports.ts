import type { System } from '../ports/system.ts'

export const DEFAULT_SANDBOX_PORT = 8091

export const toSandboxPorts = (firstPort: number): Record<System, number> => ({
  inventory: firstPort,
  pricing: firstPort + 1,
  accounting: firstPort + 2,
})

/** Returns the option that a hint needs when the ports are not the default ones. */
export const formatSandboxPortOption = (firstPort: number) =>
  firstPort === DEFAULT_SANDBOX_PORT ? '' : ` --sandbox-port ${firstPort}`
