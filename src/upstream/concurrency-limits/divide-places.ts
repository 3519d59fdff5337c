/** The places of a system that a process holds. */
export interface PlaceClaim {
  held: number
  /** The calls that wait because it has no place left. */
  missing: number
}

export interface PlaceNeeds {
  /** The places of the system, for all processes together. */
  size: number
  process: string
  held: number
  /** The calls under way. */
  used: number
  /** The calls under way and those that wait for a place. */
  wanted: number
  /** The most that were wanted at once a moment ago. */
  recentlyWanted: number
  /** The claims of all processes that are alive, by process. */
  claims: ReadonlyMap<string, PlaceClaim>
  /** The number of processes that are alive. */
  processes: number
  /** Increases with time. With fewer places than processes that want one, the processes take turns. */
  turn: number
}

/** Returns the places that this process should hold, and the calls that then still wait for one. */
export function planPlaces(needs: PlaceNeeds): PlaceClaim {
  const { size, process, held, used, wanted, recentlyWanted, claims } = needs
  const others = [...claims].filter(([id]) => id !== process).map(([, claim]) => claim)
  const heldByOthers = others.reduce((sum, claim) => sum + claim.held, 0)
  const goal = others.some(({ missing }) => missing > 0)
    ? Math.min(fairShare(needs), Math.max(held, wanted))
    : quietGoal(size, held, wanted, recentlyWanted, needs.processes)
  const planned = Math.max(used, Math.min(goal, size - heldByOthers))
  return { held: planned, missing: Math.max(0, wanted - planned) }
}

/** While no other process waits: each keeps an equal share once it has had calls, and more only while it uses them. */
function quietGoal(size: number, held: number, wanted: number, recentlyWanted: number, processes: number): number {
  const equalShare = Math.floor(size / processes)
  return Math.max(recentlyWanted, wanted > held ? Math.max(wanted, equalShare) : Math.min(held, equalShare))
}

/** The share of this process while another one waits for places. */
export function fairShare({ size, process, held, wanted, recentlyWanted, claims, turn }: PlaceNeeds): number {
  const processes = [...new Set([...claims.keys(), process])].sort()
  const demands = processes.map((id) => {
    if (id === process) return wanted > held ? wanted : recentlyWanted
    const claim = claims.get(id)!
    return claim.held + claim.missing
  })
  return divideFairly(size, demands, turn)[processes.indexOf(process)]!
}

/** Divides places so that none gets more than it demands, and who gets less than that has as much as any other (max-min fairness). */
export function divideFairly(size: number, demands: readonly number[], turn: number): number[] {
  const shares = demands.map(() => 0)
  const wantMore = () => [...shares.keys()].filter((index) => shares[index]! < demands[index]!)
  let left = size
  let open = wantMore()
  while (open.length > 0 && left >= open.length) {
    const step = Math.floor(left / open.length)
    for (const index of open) {
      const given = Math.min(step, demands[index]! - shares[index]!)
      shares[index]! += given
      left -= given
    }
    open = wantMore()
  }
  if (open.length === 0) return shares
  // Only those that would have none take turns: a turn costs time in which the place is not used.
  const first = shares[open[0]!] === 0 ? turn % open.length : 0
  for (let given = 0; given < left; given++) shares[open[(first + given) % open.length]!]! += 1
  return shares
}
