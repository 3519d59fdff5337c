// Forecourt runs on the Node that an npm package provides for each platform in a checkout, else on the caller's own. This file is plain
// JavaScript for any Node:
//   node src/bin/pinned-node.js <file> [arguments]   runs the file on that Node
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onNpmExit } from './on-npm-exit.js'

const require = createRequire(import.meta.url)
const { platform, arch } = process
const OLDEST_MAJOR = 26

/** Returns the path of the Node that package.json pins. Only some versions of npm link it into their path. */
function findPinnedNode() {
  const os = platform === 'win32' ? 'win' : platform
  for (const name of [`node-${os}-${arch}`, `node-bin-${os}-${arch}`]) {
    try {
      const manifest = require.resolve(`${name}/package.json`)
      // Next to the npm package of Forecourt, it may belong to another project.
      if (Number.parseInt(require(manifest).version, 10) < OLDEST_MAJOR) continue
      return join(dirname(manifest), 'bin', platform === 'win32' ? 'node.exe' : 'node')
    } catch {
      // Each platform has one of the two packages. The npm package of Forecourt has none.
    }
  }
  return undefined
}

function findNode() {
  const pinned = findPinnedNode()
  if (pinned !== undefined) return pinned
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_MAJOR) return process.execPath
  process.stderr.write(
    `forecourt: this is Node ${process.versions.node} (${process.execPath}), and Forecourt needs Node ${OLDEST_MAJOR} or later. Install it from https://nodejs.org, or, in a checkout of Forecourt, run: npm ci\n`,
  )
  process.exit(1)
}

/**
 * Defaults for the environment. Compiled modules are cached: the start takes half the time, without a compiler in memory. glibc returns freed
 * memory to the system instead of keeping it per thread: 60 MiB less under load.
 */
const environmentDefaults = {
  NODE_COMPILE_CACHE: join(dirname(fileURLToPath(import.meta.url)), '../..', 'node_modules', '.cache', 'compiled'),
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
}

/** Runs the pinned Node, or in the npm package the caller's own, with these arguments in place of this process: same terminal, same signals, same exit code. */
export function runOnPinnedNode(args, { stdio = 'inherit', argv0 } = {}) {
  const node = findNode()
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`
  const child = spawn(node, args, { stdio, argv0, env: { ...environmentDefaults, ...process.env, PATH: path } })
  let isSignalled = false
  const forwardSignal = (signal) => {
    isSignalled = true
    child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forwardSignal)
  onNpmExit(() => {
    if (isSignalled) return
    // For the log of a server: a process reads its messages before its signals.
    if (child.connected)
      child.send({ shutdown: 'the npm script that started the server has ended' }, () => forwardSignal('SIGTERM'))
    else forwardSignal('SIGTERM')
  })
  child.on('error', (error) => {
    process.stderr.write(`forecourt: cannot run ${node} (${error.message})\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal && !isSignalled) process.stderr.write(`forecourt: ${describeKill(signal)}\n`)
    process.exit(code ?? 128 + (constants.signals[signal] ?? 0))
  })
}

/** The system sends SIGKILL to a process that takes too much memory. */
function describeKill(signal) {
  const reason = signal === 'SIGKILL' ? ' If nobody ended it, the system may have been out of memory (see dmesg).' : ''
  return `the process was killed by ${signal}.${reason}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) runOnPinnedNode(process.argv.slice(2))
