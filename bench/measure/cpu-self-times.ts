/** The parts of V8's CPU profile that are read. */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}
export interface SelfTime {
  name: string
  us: number
}

/** Adds up self time by origin of the code and by function, the largest first, without idle time and the start of the profiler. */
export function toSelfTimes({ nodes, samples, timeDeltas }: CpuProfile): {
  categories: SelfTime[]
  functions: SelfTime[]
  busyUs: number
} {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const categories = new Map<string, number>()
  const functions = new Map<string, number>()
  let busyUs = 0
  samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = frames.get(id)!
    if (functionName === '(idle)' || url === 'node:inspector') return
    const us = timeDeltas[index]!
    busyUs += us
    add(categories, categoryOf(functionName, url), us)
    add(functions, `${functionName || '(anonymous)'} ${originOf(url)}:${lineNumber + 1}`, us)
  })
  return { categories: toSelfTimeList(categories), functions: toSelfTimeList(functions), busyUs }
}

function categoryOf(functionName: string, url: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native (V8, libuv, sockets)'
  if (url.startsWith('node:')) return 'node internals'
  return originOf(url)
}

/** Returns the name of a package, or the path of a file of ours. */
function originOf(url: string): string {
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)
  return packaged ? packaged[1]! : url.replace(/^.*?\/((?:src|adapters|bench)\/)/, '$1')
}

const add = (sums: Map<string, number>, name: string, us: number) => sums.set(name, (sums.get(name) ?? 0) + us)

const toSelfTimeList = (sums: Map<string, number>): SelfTime[] =>
  [...sums].map(([name, us]) => ({ name, us })).sort((a, b) => b.us - a.us)
