/** Decides when a process itself calls a system whose circuit another process, the leader, keeps open. */
export interface FollowerProbeSchedule {
  /** Records that the leader still keeps the circuit open. Returns `false` if the system has responded to this process since. */
  mayFollow(leader: string): boolean
  /** The circuit has been followed for so long that one call may probe the system. */
  readonly isDue: boolean
  /** A call probes the system. Another one may probe it after the same time. */
  begin(): void
  /** The system has responded: the leader is ignored from now on. */
  ignoreLeader(): void
  /** The circuit has opened here too: all leaders may be followed again. */
  forgetIgnored(): void
}

/** The processes that follow a circuit make a call each in this time: rare enough for a system that is down. */
const INTERVAL_MS = 30_000
/** Processes that began to follow at the same moment do not all call at the same moment. */
const JITTER = 0.25

export function createFollowerProbeSchedule(now: () => number, random: () => number): FollowerProbeSchedule {
  const ignored = new Set<string>()
  let current: string | null = null
  let followedAt = Number.NEGATIVE_INFINITY
  let dueAt = Number.POSITIVE_INFINITY

  function wait(): void {
    dueAt = now() + INTERVAL_MS * (1 + JITTER * (2 * random() - 1))
  }

  return {
    mayFollow(leader) {
      // Short gaps count: a leader with few calls gives its lease up and takes it again. The clock may have been set back.
      if (Math.abs(now() - followedAt) > INTERVAL_MS) wait()
      followedAt = now()
      current = leader
      return !ignored.has(leader)
    },
    get isDue() {
      return now() >= dueAt
    },
    begin: wait,
    ignoreLeader() {
      if (current !== null) ignored.add(current)
    },
    forgetIgnored() {
      if (ignored.size > 0) wait()
      ignored.clear()
    },
  }
}
