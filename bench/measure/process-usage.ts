import { readFileSync } from 'node:fs'

/** The unit of CPU times in /proc: a hundredth of a second on every Linux that Node runs on. */
const MS_PER_TICK = 10

/** Returns the CPU time (user and kernel, all threads) of a process so far. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

export function rssMib(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1_024
}
