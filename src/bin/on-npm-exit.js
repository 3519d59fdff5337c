// Plain JavaScript for any Node, as the launcher is.
import { readFileSync, readlinkSync } from 'node:fs'

const INTERVAL_MS = 500
const SHELL = /\/(?:ba|da|k|z|a)?sh$|\/busybox$/

/**
 * Calls `callback` when the npm that started this process has ended without sending a signal. npm forwards the signals that it gets, but it
 * cannot report a SIGKILL. `npx` starts this process through a shell that survives npm, so the shell's parent is watched too (on Linux;
 * elsewhere the shell replaces itself).
 */
export function onNpmExit(callback) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const npm = isShell(parent) ? readParent(parent) : undefined
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || readParent(parent) === npm)) return
    clearInterval(timer)
    callback()
  }, INTERVAL_MS)
  timer.unref()
}

function isShell(pid) {
  try {
    return SHELL.test(readlinkSync(`/proc/${pid}/exe`))
  } catch {
    return false
  }
}

function readParent(pid) {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}
