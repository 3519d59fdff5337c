// The Node that Forecourt runs on is a package of its own for each platform. This file is plain JavaScript for any Node:
//   node src/bin/pinned-node.js <file> [arguments]   runs the file on it
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const { platform, arch } = process

/** npm links the `node` of these packages into its path in some versions and not in others, so it is looked for here. */
function pinnedNode() {
  const os = platform === 'win32' ? 'win' : platform
  for (const name of [`node-${os}-${arch}`, `node-bin-${os}-${arch}`]) {
    try {
      return join(dirname(require.resolve(`${name}/package.json`)), 'bin', platform === 'win32' ? 'node.exe' : 'node')
    } catch {
      // Not the name that this platform's package has.
    }
  }
  process.stderr.write(`forecourt: there is no Node package for ${platform} ${arch} in node_modules. Run: npm ci\n`)
  process.exit(1)
}

/**
 * Modules are compiled once and kept (half the time to start, and no compiler in memory); glibc gives what is freed back to the
 * system instead of keeping it for each thread (60 MiB less under load). Whoever sets these has the last word.
 */
const lean = {
  NODE_COMPILE_CACHE: join(dirname(fileURLToPath(import.meta.url)), '../..', 'node_modules', '.cache', 'compiled'),
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
}

/** Runs the pinned Node with these arguments as if it were this process: same terminal, same signals, same end. */
export function runOnPinnedNode(args, { stdio = 'inherit', argv0 } = {}) {
  const node = pinnedNode()
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`
  const child = spawn(node, args, { stdio, argv0, env: { ...lean, ...process.env, PATH: path } })
  let told = false
  const tell = (signal) => {
    told = true
    child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, tell)
  // npm passes signals on, but cannot say so when it is killed: what it ran would serve on with nobody to end it.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => process.ppid === parent || told || tell('SIGTERM'), 500).unref()
  child.on('error', (error) => {
    process.stderr.write(`forecourt: ${node} cannot be run (${error.message})\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) runOnPinnedNode(process.argv.slice(2))
