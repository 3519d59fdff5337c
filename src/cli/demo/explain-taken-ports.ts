import { createServer } from 'node:net'
import { join } from 'node:path'
import { readDefaultConfig } from '../../config/conversion/default-config.ts'
import { LAST_PORT } from '../../config/conversion/parse-port.ts'
import { toOperationsConfig } from '../../config/conversion/to-operations-config.ts'
import { SystemPortError } from '../../sandbox/fork-system.ts'
import { CONTROL_OFFSET } from '../../sandbox/start-sandbox.ts'
import { StoreServedError } from '../../storage/sqlite/sqlite-server-lock.ts'
import { toSandboxPorts } from '../sandbox-ports.ts'
import { ensureSandboxToken } from '../sandbox-token.ts'
import { formatDemoCommand } from '../suggested-command-lines.ts'
import { systemResponds } from '../system-responds.ts'

/**
 * Returns the error of a start on ports that are in use: it names all of them, and a command that uses others. The error of a start in the folder
 * of another demo gets a command too. Other errors stay as they are.
 */
export async function explainTakenPorts(error: unknown, firstPort: number): Promise<unknown> {
  const { listen, dataDirectory } = readDefaultConfig()
  if (error instanceof StoreServedError) return nameSecondDemo(error, firstPort, dataDirectory)
  if (!isPortError(error)) return error
  const taken = [
    ...(await findTaken(apiPortsFrom(listen.port), listen.host)),
    ...(await findTakenSandboxPorts(firstPort, dataDirectory)),
  ]
  if (taken.length === 0) return error
  const port = await findFree(listen.port, 100, apiPortsFrom, listen.host)
  const isFree = !sandboxPortsFrom(firstPort).some((one) => taken.includes(one))
  const command = formatDemoCommand({
    port,
    firstPort: isFree ? firstPort : await findFree(firstPort, 2 * CONTROL_OFFSET, sandboxPortsFrom),
    dataDirectory,
  })
  const problem =
    taken.length === 1
      ? `Port ${taken} is in use. Stop the program that uses it`
      : `The ports ${taken.join(', ')} are in use. Stop the programs that use them`
  return new Error(`${problem}, or use other ports: ${command}`, { cause: error })
}

/** A second demo has a data directory of its own, and so none of the systems of the first one. */
async function nameSecondDemo(error: StoreServedError, firstPort: number, dataDirectory: string): Promise<Error> {
  const { listen } = readDefaultConfig()
  const command = formatDemoCommand({
    port: await findFree(listen.port, 100, apiPortsFrom, listen.host),
    firstPort: await findFree(firstPort, 2 * CONTROL_OFFSET, sandboxPortsFrom),
    dataDirectory: join(dataDirectory, 'second'),
  })
  return new Error(`${error.message} To start a second demo beside it: ${command}`, { cause: error })
}

const isPortError = (error: unknown): boolean =>
  error instanceof SystemPortError ||
  (error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE')

/** The ports of the API and of the operations pages. With 0, the system chooses free ones. */
const apiPortsFrom = (port: number): number[] =>
  port === 0 ? [] : [port, toOperationsConfig(undefined, port)?.port ?? port]

const sandboxPortsFrom = (firstPort: number): number[] => {
  const ports = Object.values(toSandboxPorts(firstPort))
  return [...ports, ...ports.map((port) => port + CONTROL_OFFSET)]
}

/** Leaves out the ports of systems that the demo would use, because they have its token: those of `forecourt sandbox`. */
async function findTakenSandboxPorts(firstPort: number, dataDirectory: string): Promise<number[]> {
  const taken = await findTaken(sandboxPortsFrom(firstPort))
  const demo = { accounts: ['demo'], token: ensureSandboxToken(dataDirectory) }
  const ports = Object.values(toSandboxPorts(firstPort)).filter((port) => taken.includes(port))
  const areOwn = await Promise.all(ports.map((port) => systemResponds(port, demo)))
  const own = ports.filter((_, index) => areOwn[index]).flatMap((port) => [port, port + CONTROL_OFFSET])
  return taken.filter((port) => !own.includes(port))
}

/** Returns the first of the ports `first`, `first + step` … such that nothing listens on those that belong to it. */
async function findFree(
  first: number,
  step: number,
  portsFrom: (port: number) => number[],
  host?: string,
): Promise<number> {
  for (let port = first; Math.max(0, ...portsFrom(port)) <= LAST_PORT; port += step)
    if ((await findTaken(portsFrom(port), host)).length === 0) return port
  return first
}

async function findTaken(ports: readonly number[], host = '127.0.0.1'): Promise<number[]> {
  const areTaken = await Promise.all(ports.map((port) => isTaken(port, host)))
  return ports.filter((_, index) => areTaken[index])
}

function isTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE'))
    server.listen(port, host, () => server.close(() => resolve(false)))
  })
}
